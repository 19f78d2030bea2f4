#include "db/rows/page.hpp"

#include <algorithm>
#include <cstddef>

#include "db/rows/rows.hpp"
#include "db/schema/error.hpp"

namespace macrostep::db {

namespace {
constexpr std::size_t time_chars = 24;  // 2025-01-31T12:00:00.000Z
constexpr std::string_view hex_digits = "0123456789abcdef";

std::string hexadecimal(std::string_view bytes) {
  std::string digits;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    digits += {hex_digits[byte >> 4U], hex_digits[byte & 15U]};
  }
  return digits;
}

std::string bytes_of(std::string_view digits) {
  const auto value = [](char digit) {
    const auto at = hex_digits.find(digit);
    if (at == hex_digits.npos) {
      refuse_cursor();
    }
    return at;
  };
  if (digits.size() % 2 != 0) {
    refuse_cursor();
  }
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
  }
  return bytes;
}

}  // namespace

std::string age_cursor(const std::string& created_at, const std::string& id) {
  return created_at + "," + id;
}

AgeCursor parse_age_cursor(const std::optional<std::string>& text) {
  if (!text) {
    return {};
  }
  if (text->size() < time_chars + 2 || (*text)[time_chars] != ',' || !text->starts_with("20")) {
    refuse_cursor();
  }
  return {.created_at = text->substr(0, time_chars), .id = text->substr(time_chars + 1)};
}

std::string cursor_at(const std::string& prefix, std::string_view key, std::string_view id) {
  return prefix + hexadecimal(id) + "." + hexadecimal(key);
}

std::pair<std::string, std::string> parse_cursor(std::string_view cursor,
                                                 const std::string& prefix) {
  if (!cursor.starts_with(prefix)) {
    refuse_cursor();
  }
  cursor.remove_prefix(prefix.size());
  const std::size_t dot = cursor.find('.');
  if (dot == cursor.npos) {
    refuse_cursor();
  }
  return {bytes_of(cursor.substr(dot + 1)), bytes_of(cursor.substr(0, dot))};
}

std::string text_tag(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) {
    digits += hex_digits[(hash >> shift) & 15U];
  }
  return digits;
}

void refuse_cursor() {
  throw Error(ErrorKind::bad_cursor, "the page cursor is not one of this listing");
}

std::int64_t page_rows(std::int64_t limit) {
  return std::clamp(limit, std::int64_t{1}, maximum_page_rows);
}

}  // namespace macrostep::db
