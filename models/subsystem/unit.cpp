#include "models/subsystem/unit.hpp"

#include <charconv>
#include <cmath>
#include <numbers>
#include <span>

namespace macrostep::models {

namespace {

constexpr int max_power = 9;
/// Scales are products of few powers of ten: equal ones differ by rounding only.
constexpr double scale_tolerance = 1e-12;

struct Named {
  std::string_view name;
  double scale;
  std::array<int, 5> exponents;  ///< m, kg, s, A, K
  bool takes_prefix = true;
};

constexpr double pi = std::numbers::pi;

constexpr std::array units{
    Named{"m", 1, {1, 0, 0, 0, 0}},
    Named{"g", 1e-3, {0, 1, 0, 0, 0}},
    Named{"s", 1, {0, 0, 1, 0, 0}},
    Named{"A", 1, {0, 0, 0, 1, 0}},
    Named{"K", 1, {0, 0, 0, 0, 1}},
    Named{"N", 1, {1, 1, -2, 0, 0}},
    Named{"Pa", 1, {-1, 1, -2, 0, 0}},
    Named{"J", 1, {2, 1, -2, 0, 0}},
    Named{"W", 1, {2, 1, -3, 0, 0}},
    Named{"V", 1, {2, 1, -3, -1, 0}},
    Named{"C", 1, {0, 0, 1, 1, 0}},
    Named{"F", 1, {-2, -1, 4, 2, 0}},
    Named{"H", 1, {2, 1, -2, -2, 0}},
    Named{"Wb", 1, {2, 1, -2, -1, 0}},
    Named{"T", 1, {0, 1, -2, -1, 0}},
    Named{"Ohm", 1, {2, 1, -3, -2, 0}},
    Named{"ohm", 1, {2, 1, -3, -2, 0}},
    Named{"Ω", 1, {2, 1, -3, -2, 0}},
    Named{"S", 1, {-2, -1, 3, 2, 0}},
    Named{"Hz", 1, {0, 0, -1, 0, 0}},
    Named{"L", 1e-3, {3, 0, 0, 0, 0}},
    Named{"l", 1e-3, {3, 0, 0, 0, 0}},
    Named{"bar", 1e5, {-1, 1, -2, 0, 0}},
    Named{"rad", 1, {}},
    Named{"deg", pi / 180, {}, false},
    Named{"rpm", pi / 30, {0, 0, -1, 0, 0}, false},
    Named{"rev", 2 * pi, {}, false},
    Named{"min", 60, {0, 0, 1, 0, 0}, false},
    Named{"h", 3600, {0, 0, 1, 0, 0}, false},
    Named{"t", 1e3, {0, 1, 0, 0, 0}, false},
    Named{"degC", 1, {0, 0, 0, 0, 1}, false},
    Named{"%", 1e-2, {}, false},
    Named{"1", 1, {}, false},
    Named{"-", 1, {}, false},
};

/// Products that people write without a separator; powers of them would be ambiguous.
constexpr std::array products_without_separator{
    Named{"Nm", 1, {2, 1, -2, 0, 0}},    Named{"Nms", 1, {2, 1, -1, 0, 0}},
    Named{"Pas", 1, {-1, 1, -1, 0, 0}},  Named{"Ws", 1, {2, 1, -2, 0, 0}},
    Named{"Wh", 3600, {2, 1, -2, 0, 0}}, Named{"As", 1, {0, 0, 1, 1, 0}},
    Named{"Ah", 3600, {0, 0, 1, 1, 0}},  Named{"Vs", 1, {2, 1, -2, -1, 0}},
};

struct Prefix {
  std::string_view name;
  double scale;
};

constexpr std::array prefixes{
    Prefix{"p", 1e-12}, Prefix{"n", 1e-9}, Prefix{"u", 1e-6}, Prefix{"µ", 1e-6}, Prefix{"m", 1e-3},
    Prefix{"c", 1e-2},  Prefix{"d", 1e-1}, Prefix{"k", 1e3},  Prefix{"M", 1e6},  Prefix{"G", 1e9}};

std::optional<Unit> named_unit(std::span<const Named> list, std::string_view name) {
  for (const auto& unit : list) {
    if (unit.name == name) {
      return Unit{unit.scale, unit.exponents};
    }
  }
  for (const auto& prefix : prefixes) {
    if (!name.starts_with(prefix.name)) {
      continue;
    }
    for (const auto& unit : list) {
      if (unit.takes_prefix && unit.name == name.substr(prefix.name.size())) {
        return Unit{prefix.scale * unit.scale, unit.exponents};
      }
    }
  }
  return std::nullopt;
}

/// "m^2", "m2" or "s^-1".
std::optional<Unit> factor_from(std::string_view text) {
  if (const auto whole = named_unit(units, text)) {
    return whole;
  }
  if (const auto product = named_unit(products_without_separator, text)) {
    return product;
  }
  const auto digits = text.find_last_not_of("-0123456789");
  if (digits == std::string_view::npos || digits + 1 == text.size()) {
    return std::nullopt;
  }
  const auto power_text = text.substr(digits + 1);
  const auto unit = named_unit(units, text.substr(0, text[digits] == '^' ? digits : digits + 1));
  int power = 0;
  const auto* end = power_text.data() + power_text.size();
  const auto read = std::from_chars(power_text.data(), end, power);
  if (!unit || read.ec != std::errc{} || read.ptr != end || std::abs(power) > max_power) {
    return std::nullopt;
  }
  Unit raised{std::pow(unit->scale, power), unit->exponents};
  for (auto& exponent : raised.exponents) {
    exponent *= power;
  }
  return raised;
}

void multiply(Unit& product, const Unit& factor, int sign) {
  product.scale *= sign > 0 ? factor.scale : 1 / factor.scale;
  for (std::size_t i = 0; i < product.exponents.size(); ++i) {
    product.exponents[i] += sign * factor.exponents[i];
  }
}

constexpr std::string_view middle_dot = "·";

/// Length of the separator that the text begins with, 0 if none.
std::size_t separator(std::string_view text) {
  if (text.starts_with(middle_dot)) {
    return middle_dot.size();
  }
  return text.starts_with(' ') || text.starts_with('*') || text.starts_with('.') ||
                 text.starts_with('/') || text.starts_with('(') || text.starts_with(')')
             ? 1
             : 0;
}

/// Whether a dot is none between units, but of a number or a power that is not whole.
bool has_decimals(std::string_view text) {
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '.' && is_digit(text[i - 1]) && is_digit(text[i + 1])) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<Unit> unit_from(std::string_view text) {
  if (has_decimals(text)) {
    return std::nullopt;
  }
  Unit product;
  int sign = 1;
  int open = 0;          // parentheses
  bool dangling = true;  // a factor must follow
  while (!text.empty()) {
    if (const auto length = separator(text)) {
      const char kind = text.front();
      open += kind == '(' ? 1 : kind == ')' ? -1 : 0;
      if (open < 0 || (dangling && kind != '(' && kind != ' ')) {
        return std::nullopt;
      }
      sign = kind == '/' ? -1 : sign;
      dangling = dangling || (kind != ' ' && kind != '(' && kind != ')');
      text.remove_prefix(length);
      continue;
    }
    std::size_t length = 0;
    while (length < text.size() && separator(text.substr(length)) == 0) {
      ++length;
    }
    const auto factor = factor_from(text.substr(0, length));
    if (!factor) {
      return std::nullopt;
    }
    multiply(product, *factor, sign);
    dangling = false;
    text.remove_prefix(length);
  }
  return dangling || open != 0 ? std::nullopt : std::optional(product);
}

bool same_unit(std::string_view one, std::string_view other) {
  if (one == other || one == unknown_unit || other == unknown_unit) {
    return true;
  }
  const auto first = unit_from(one);
  const auto second = unit_from(other);
  return first && second && first->exponents == second->exponents &&
         std::abs(first->scale / second->scale - 1) < scale_tolerance;
}

bool make_watts(std::string_view effort_unit, std::string_view flow_unit) {
  const auto effort = unit_from(effort_unit);
  const auto flow = unit_from(flow_unit);
  if (!effort || !flow) {
    return false;
  }
  Unit product = *effort;
  multiply(product, *flow, 1);
  return product.exponents == watt_exponents && std::abs(product.scale - 1) < scale_tolerance;
}

}  // namespace macrostep::models
