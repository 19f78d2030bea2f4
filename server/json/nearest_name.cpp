#include "server/json/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <vector>

#include "engine/base/text.hpp"

namespace macrostep::server::json {

namespace {

constexpr std::size_t longest_compared_bytes = 64;
constexpr std::size_t longest_quoted_bytes = 60;
constexpr std::size_t longest_list_bytes = 240;

char lower(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

/// Levenshtein's distance, ignoring case; the two rows of its table are enough.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates) {
  if (name.empty() || name.size() > longest_compared_bytes) {
    return std::nullopt;
  }
  std::optional<std::string> nearest;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t changes = distance(name, candidate);
    if (changes < least && changes < candidate.size()) {
      least = changes;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string unknown_name(std::string_view name, std::span<const std::string> available) {
  std::string text = in_quotes(name) + " is not available";
  if (const auto nearest = nearest_name(name, available)) {
    text += "; did you mean " + in_quotes(*nearest) + "?";
  }
  if (!available.empty()) {
    text += (text.ends_with('?') ? " Available: " : "; available: ") + listed(available);
  }
  return text;
}

std::string listed(std::span<const std::string> names) {
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (text.size() > longest_list_bytes) {
      return text + " and " + std::to_string(names.size() - count) + " more";
    }
    text += (count++ == 0 ? "" : ", ") + name;
  }
  return text;
}

std::string in_quotes(std::string_view text) {
  std::string shown(engine::whole_characters(text, longest_quoted_bytes));
  shown += shown.size() < text.size() ? "…" : "";
  for (char& letter : shown) {
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F) {
      letter = ' ';  // a message is one line, and a terminal obeys control characters
    }
  }
  return '"' + shown + '"';
}

}  // namespace macrostep::server::json
