#include "server/base/printable.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

namespace macrostep::server {

namespace {

/// The character of U+2000 to U+207F whose second and third byte in UTF-8 these are.
unsigned code_of_three(unsigned second, unsigned third) {
  return 0x2000U + ((second & 0x3FU) << 6U) + (third & 0x3FU);
}

/// Those of them that end a line, or turn the direction in which what follows is read.
bool deceives(unsigned code) {
  return (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::size_t control_bytes(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t place) {
    return at + place < text.size() ? static_cast<unsigned char>(text[at + place]) : 0U;
  };
  if (byte(0) < 0x20 || byte(0) == 0x7F) {
    return 1;
  }
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) {  // U+0080 to U+009F
    return 2;
  }
  const bool has_three = byte(0) == 0xE2 && (byte(1) == 0x80 || byte(1) == 0x81);
  return has_three && deceives(code_of_three(byte(1), byte(2))) ? 3 : 0;
}

std::string printable(std::string_view text) {
  std::string result;
  const auto escape = [&](unsigned code) {
    std::array<char, 8> escaped{};
    std::snprintf(escaped.data(), escaped.size(), "\\u%04x", code);
    result += escaped.data();
  };
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t place) {
      return static_cast<unsigned char>(text[i + place]);
    };
    const auto bytes = control_bytes(text, i);
    if (bytes == 0) {
      result += text[i];
    } else if (text[i] == '\n') {
      result += "\\n";
    } else {
      escape(bytes == 1 ? byte(0) : bytes == 2 ? byte(1) : code_of_three(byte(1), byte(2)));
    }
    i += std::max<std::size_t>(bytes, 1);
  }
  return result;
}

}  // namespace macrostep::server
