// Texts taken apart: headers, lists in queries and variables, lines of files.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace macrostep::server {

/// What some editors put before the first character of a file in UTF-8.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Without the spaces, tabs and ends of lines around it.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);  // of none, npos + 1 is 0
}

/// "a,b," as "a", "b" and "": one part more than separators.
inline std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The whole text as a finite number, without spaces around it.
inline std::optional<double> finite_number(std::string_view text) {
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  const bool whole = read.ec == std::errc() && read.ptr == end;
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace macrostep::server
