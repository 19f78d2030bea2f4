#include "engine/text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace macrostep::engine {

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

std::string milliseconds_text(double time_s) {
  return number_text(1e3 * time_s) + " ms";
}

}  // namespace macrostep::engine
