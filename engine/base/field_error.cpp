#include "engine/base/field_error.hpp"

namespace macrostep::engine {

std::string pointer_token(std::string_view name) {
  std::string escaped;
  for (const char c : name) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace macrostep::engine
