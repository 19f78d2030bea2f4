#include "server/cli/frame/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

#include "engine/base/text.hpp"

namespace macrostep::server {

namespace {

constexpr std::size_t line_width = 96;
constexpr std::size_t column_gap = 2;

std::string printed(const char* format, double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// U+2000 to U+207F that end a line, or turn the direction in which what follows is read; they are
/// three bytes in UTF-8.
bool deceives(unsigned code) {
  return (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

}  // namespace

std::string duration(double seconds) {
  if (seconds < 1e-3) {
    return printed("%.3g", 1e6 * seconds) + " µs";
  }
  return seconds < 1 ? printed("%.3g", 1e3 * seconds) + " ms" : printed("%.3g", seconds) + " s";
}

std::string counted(std::size_t count, const std::string& noun) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) {
    digits.insert(at - 3, " ");
  }
  return digits + " " + noun + (count == 1 ? "" : "s");
}

std::optional<double> finite_number(std::string_view text) {
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  const bool whole = read.ec == std::errc() && read.ptr == end;
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

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

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string piece = text.substr(at, end - at);
    const bool unit = at > 1 && engine::character_count(piece) <= 3 &&
                      is_digit(text[at - 2]);  // stays at its number
    if (column > indent && !unit && column + 1 + engine::character_count(piece) > line_width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (at > 0) {
      result += ' ';
      ++column;
    }
    result += piece;
    column += engine::character_count(piece);
    at = end + 1;
  }
  return result;
}

std::string Table::text(std::size_t indent) const {
  std::vector<std::size_t> widths(columns_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], engine::character_count(row[i]));
    }
  }
  std::string result;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - engine::character_count(row[i]), ' ');
      line += columns_[i] == Align::right ? padding + row[i] : row[i] + padding;
      line += std::string(column_gap, ' ');
    }
    line.resize(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

}  // namespace macrostep::server
