#include "server/respond/list_filters.hpp"

#include <algorithm>
#include <cstddef>

#include "db/rows/search_query.hpp"
#include "server/base/text.hpp"
#include "server/http/message/problem.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server {

namespace {

constexpr std::size_t max_filter_bytes = 200;

}  // namespace

std::optional<http::Response> read_filters(const http::Request& request,
                                           std::span<const Filter> filters) {
  for (const auto& [name, read] : filters) {
    if (const auto* text = request.query(name)) {
      if (const auto mistake = read(*text)) {
        return http::problem_response(400, std::string(name) + ": " + *mistake);
      }
    }
  }
  return std::nullopt;
}

std::vector<std::string> set_of(const std::string& text) {
  const auto parts = parts_of(text, ',');
  std::vector<std::string> list(parts.begin(), parts.end());
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

Mistake read_statuses(const std::string& text, std::vector<std::string>& statuses) {
  statuses = set_of(text);
  for (const auto& status : statuses) {
    if (std::ranges::find(db::known_statuses, status) == db::known_statuses.end()) {
      return "must be one or several, with commas between, of " +
             json::listed(
                 std::vector<std::string>(db::known_statuses.begin(), db::known_statuses.end())) +
             ", not " + json::in_quotes(status);
    }
  }
  return std::nullopt;
}

Mistake read_text(const std::string& text, std::optional<std::string>& target) {
  if (text.empty() || text.size() > max_filter_bytes) {
    return "must have 1 to " + std::to_string(max_filter_bytes) + " bytes";
  }
  target = text;
  return std::nullopt;
}

}  // namespace macrostep::server
