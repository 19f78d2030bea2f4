#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace macrostep::engine {

namespace {

constexpr double from_seconds_s = 10;
constexpr double below_microseconds_s = 1e-6;

/// To three digits. Twelve come first, so that 1.7999999999999998 is 1.8.
double rounded_down(double value) {
  constexpr std::size_t three_digits = 4;  // "1.23"
  char text[32];
  std::snprintf(text, sizeof text, "%.11e", value);
  const std::string digits = text;
  const auto exponent = digits.find('e');
  return std::strtod((digits.substr(0, three_digits) + digits.substr(exponent)).c_str(), nullptr);
}

}  // namespace

std::string number_text(double value) {
  if (!std::isfinite(value)) {
    return "unknown";
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string exact_text(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string macro_step_text(double time_s) {
  if (!std::isfinite(time_s)) {
    return "unknown ms";
  }
  if (time_s >= from_seconds_s) {
    return number_text(rounded_down(time_s)) + " s";
  }
  if (time_s > 0 && time_s < below_microseconds_s) {
    return number_text(rounded_down(1e6 * time_s)) + " µs";
  }
  return number_text(rounded_down(1e3 * time_s)) + " ms";
}

std::string rough_duration_text(double time_s) {
  struct Unit {
    double size_s;
    double until;  ///< that many of it are told in it
    const char* name;
  };
  constexpr std::array units{Unit{1, 120, " s"}, Unit{60, 120, " min"}, Unit{3600, 48, " h"},
                             Unit{86'400, 730, " days"}};
  if (!std::isfinite(time_s)) {
    return "an unknown time";
  }
  if (time_s < 1) {
    return "less than a second";
  }
  Unit unit{365.25 * 86'400, 0, " years"};
  if (const auto* known = std::ranges::find_if(
          units, [&](const Unit& one) { return time_s < one.until * one.size_s; });
      known != units.end()) {
    unit = *known;
  }
  char text[32];
  std::snprintf(text, sizeof text, time_s / unit.size_s < 10 ? "%.2g" : "%.3g",
                time_s / unit.size_s);
  return "about " + std::string(text) + unit.name;
}

std::string percent_text(double share) {
  if (!std::isfinite(100 * share)) {
    return "unknown";
  }
  char text[48];  // %g would write 100 as 1e+02, %.0f all 300 digits of 1e300
  const bool writes_digits = share >= 0.1 && share < 1e12;
  std::snprintf(text, sizeof text, writes_digits ? "%.0f" : "%.2g", 100 * share);
  return text + std::string(" %");
}

std::string growth_text(const GrowthOverSession& growth) {
  const double exponent = growth.rate_per_s * growth.session_s;
  if (exponent <= smallest_exponent) {
    return exponent < -smallest_exponent ? "decays" : "neither grows nor decays";
  }
  if (exponent < std::log(2)) {
    return "grows by " + percent_text(std::expm1(exponent)) + " in a session of " +
           number_text(growth.session_s) + " s";
  }
  return std::isfinite(growth.rate_per_s)
             ? "doubles every " + number_text(std::log(2) / growth.rate_per_s) + " s"
             : "grows beyond all numbers within one macro-step";
}

std::string shortened(const std::string& text) {
  constexpr std::size_t longest_bytes = 60;
  if (text.size() <= longest_bytes) {
    return text;
  }
  return std::string(whole_characters(text, longest_bytes)) + "…";
}

}  // namespace macrostep::engine
