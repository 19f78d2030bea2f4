#include "models/fmi/rules/start_rules.hpp"

#include <cmath>

#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::rules {

namespace {

void check_whether_start(const RawVariable& variable, Report& report) {
  using enum Causality;
  const bool exact_or_approx =
      variable.initial == Initial::exact || variable.initial == Initial::approx;
  const bool required = variable.causality == input || variable.causality == parameter ||
                        variable.causality == structural_parameter || exact_or_approx;
  if (variable.causality == independent) {
    if (variable.has_start) {
      report.error(where_of(variable), "the independent variable must have no start", "no start");
    }
  } else if (required && !variable.has_start && variable.type != VariableType::clock) {
    const bool by_initial = variable.causality != input && variable.causality != parameter;
    report.error(
        where_of(variable),
        std::string("has no start, which ") + (variable.causality == input ? "inputs need"
                                               : by_initial ? "initial exact or approx needs"
                                                            : "parameters need"),
        "start");
  } else if (!required && variable.has_start) {
    report.error(where_of(variable), "has a start, which initial calculated forbids", "no start");
  }
}

bool is_text(const RawVariable& variable) {
  return variable.type == VariableType::string || variable.type == VariableType::binary ||
         variable.type == VariableType::clock;
}

bool is_boolean_word(std::string_view text) {
  return text == "true" || text == "false" || text == "1" || text == "0";
}

/// The numbers of a start; arrays have several. False: one is none.
bool read_starts(const RawVariable& variable, std::vector<double>& starts, Report& report) {
  const std::string_view text = variable.typed.attribute("start").value();
  const auto words = words_of(text);
  if (variable.has_start && (words.empty() || (words.size() > 1 && !variable.is_array))) {
    report.error(where_of(variable), "its start \"" + shown(text) + "\" is not one value",
                 "start form");
    return false;
  }
  for (const auto word : words) {
    const bool boolean = variable.type == VariableType::boolean;
    const auto number = number_from(word);
    const bool fits = boolean ? is_boolean_word(word)
                              : number && (variable.is_float || *number == std::floor(*number));
    if (!fits) {
      report.error(where_of(variable),
                   "its start \"" + shown(word) + "\" is no " +
                       (boolean             ? "true or false"
                        : variable.is_float ? "number"
                                            : "whole number"),
                   "start form");
      return false;
    }
    if (!boolean) {
      starts.push_back(*number);
    }
  }
  return true;
}

void check_range(const RawDescription& raw, const RawVariable& variable, Report& report) {
  std::vector<double> starts;
  if (is_text(variable) || !variable.type || !read_starts(variable, starts, report)) {
    return;
  }
  std::optional<double> limits[2];
  const char* const names[] = {"min", "max"};
  for (const int i : {0, 1}) {
    const auto attribute = typed_attribute(raw, variable, names[i]);
    limits[i] = number_from(attribute.value());
    if (attribute && !limits[i]) {
      report.error(where_of(variable), std::string("its ") + names[i] + " is no number", "limits");
    }
  }
  if (limits[0] && limits[1] && *limits[0] > *limits[1]) {
    report.error(where_of(variable), "its min is above its max", "limits");
    return;
  }
  for (const double start : starts) {
    if ((limits[0] && start < *limits[0]) || (limits[1] && start > *limits[1])) {
      report.error(where_of(variable), "its start is not between its min and max", "start range");
      return;
    }
  }
}

void check_item(const RawDescription& raw, const RawVariable& variable, Report& report) {
  const auto declared = variable.typed.attribute("declaredType");
  const auto found = raw.types.find(std::string_view(declared.value()));
  if (variable.type != VariableType::enumeration || found == raw.types.end() ||
      !variable.has_start || variable.is_array) {
    return;
  }
  const auto start = number_from(variable.typed.attribute("start").value());
  for (const auto item : found->second.typed.children("Item")) {
    if (number_from(item.attribute("value").value()) == start) {
      return;
    }
  }
  if (start) {
    report.error(where_of(variable), "its start is no item of its type", "start item");
  }
}

void check_nominal(const RawDescription& raw, const RawVariable& variable, Report& report) {
  const auto attribute = typed_attribute(raw, variable, "nominal");
  const auto value = number_from(attribute.value());
  if (attribute && variable.is_float && (!value || !(*value > 0))) {
    report.warning(where_of(variable), "its nominal is not above 0", "nominal");
  }
}

void check_dimensions(const RawDescription& raw, const RawVariable& variable, Report& report) {
  for (const auto dimension : variable.element.children("Dimension")) {
    const auto start = dimension.attribute("start");
    const auto reference = dimension.attribute("valueReference");
    if (start.empty() == reference.empty()) {
      report.error(where_of(variable), "a dimension has either a start or a valueReference",
                   "dimension");
    } else if (start && whole_from(start.value()).value_or(0) == 0) {
      report.error(where_of(variable), "the start of a dimension is no whole number above 0",
                   "dimension");
    } else if (reference) {
      const auto number = whole_from(reference.value());
      const auto* const size = number ? raw.called(*number) : nullptr;
      if (size == nullptr || !(size->causality == Causality::structural_parameter ||
                               size->variability == Variability::constant)) {
        report.error(where_of(variable),
                     "a dimension refers to neither a structural parameter nor a constant",
                     "dimension");
      }
    }
  }
}

}  // namespace

void check_starts(const RawDescription& raw, Report& report) {
  for (const auto& variable : raw.variables) {
    check_whether_start(variable, report);
    check_range(raw, variable, report);
    check_item(raw, variable, report);
    check_nominal(raw, variable, report);
    check_dimensions(raw, variable, report);
  }
}

}  // namespace macrostep::models::fmi::rules
