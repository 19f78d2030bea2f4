#include "server/base/printable.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace macrostep::server {

namespace {

/// U+2000 to U+207F that end a line, or turn the direction in which what follows is read; they are
/// three bytes in UTF-8.
bool deceives(unsigned code) {
  return (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  const auto escape = [&](unsigned code) {
    std::array<char, 8> escaped{};
    std::snprintf(escaped.data(), escaped.size(), "\\u%04x", code);
    result += escaped.data();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    const unsigned third = i + 2 < text.size() ? static_cast<unsigned char>(text[i + 2]) : 0U;
    const unsigned code = 0x2000U + ((next & 0x3FU) << 6U) + (third & 0x3FU);
    if (byte == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      escape(byte);
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {  // U+0080 to U+009F, in UTF-8
      escape(next);
      ++i;
    } else if (byte == 0xE2 && (next == 0x80 || next == 0x81) && deceives(code)) {
      escape(code);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace macrostep::server
