#include "server/cli/frame/text.hpp"

#include <algorithm>
#include <array>
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
