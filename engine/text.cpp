#include "engine/text.hpp"

#include <cstdio>

namespace macrostep::engine {

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string milliseconds_text(double time_s) {
  return number_text(1e3 * time_s) + " ms";
}

}  // namespace macrostep::engine
