// Characters of texts in UTF-8, of which one may take several bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace macrostep::models {

/// Not the first byte of its character.
constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

constexpr std::size_t character_count(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_character));
}

/// As many whole characters from its front as fit into so many bytes.
constexpr std::string_view whole_characters(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) {
    return text;
  }
  while (bytes > 0 && continues_character(text[bytes])) {
    --bytes;
  }
  return text.substr(0, bytes);
}

}  // namespace macrostep::models
