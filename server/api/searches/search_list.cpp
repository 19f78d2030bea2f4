#include "server/api/searches/search_list.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/api/frame/application.hpp"
#include "server/base/text.hpp"
#include "server/base/time_text.hpp"
#include "server/jobs/labels.hpp"
#include "server/json/json_text.hpp"
#include "server/json/nearest_name.hpp"
#include "server/queue/task_actions.hpp"
#include "server/respond/list_filters.hpp"
#include "server/respond/respond.hpp"
#include "server/store/search_json.hpp"

namespace macrostep::server {

namespace {

struct SortName {
  const char* name;
  db::SearchOrder order;
};
constexpr std::array sort_names{SortName{"created_at", db::SearchOrder::by_creation},
                                SortName{"finished_at", db::SearchOrder::by_end},
                                SortName{"name", db::SearchOrder::by_name}};

Mistake read_filter_tags(const std::string& text, db::SearchQuery& query) {
  query.tags = set_of(text);
  constexpr std::size_t max_tag_bytes = 4 * json::max_tag_chars;
  const bool are_tags = std::ranges::all_of(query.tags, [](const std::string& tag) {
    return !tag.empty() && tag.size() <= max_tag_bytes;
  });
  if (!are_tags || query.tags.size() > json::max_tags) {
    return "must be 1 to " + std::to_string(json::max_tags) +
           " tags with commas between, each of 1 to " + std::to_string(json::max_tag_chars) +
           " characters";
  }
  return std::nullopt;
}

/// Stored times have milliseconds and are compared as text. Later than this time is what is later
/// than the last stored one up to it, earlier what is earlier than the first one from it on.
Mistake read_time(const std::string& text, bool before, std::optional<std::string>& target) {
  const auto time = time_from(text);
  if (!time) {
    return "must be a time as RFC 3339 has it, such as 2025-01-31T12:00:00Z or, with + written as "
           "%2B, 2025-01-31T13:00:00%2B01:00, not " +
           json::in_quotes(text);
  }
  // Year 10000 comes first as text; before the end of 9999 is everything.
  constexpr Milliseconds end_of_text = std::chrono::sys_days(std::chrono::year(10000) / 1 / 1);
  if (before && time->not_before >= end_of_text) {
    return std::nullopt;
  }
  target = utc_text(before ? time->not_before : time->not_after);
  return std::nullopt;
}

Mistake read_sort(std::string_view text, db::SearchQuery& query) {
  query.descending = text.starts_with('-');
  const auto name = text.substr(query.descending ? 1 : 0);
  const auto known = std::ranges::find(sort_names, name, &SortName::name);
  if (known != sort_names.end()) {
    query.order = known->order;
    return std::nullopt;
  }
  std::vector<std::string> allowed;
  for (const auto& sort : sort_names) {
    allowed.push_back(sort.name);
    allowed.push_back(std::string("-") + sort.name);
  }
  return "must be " + json::listed(allowed) + ", not " + json::in_quotes(std::string(text));
}

/// The query of a request, or the answer that names what is wrong with it.
std::variant<db::SearchQuery, http::Response> search_query(const http::Request& request) {
  db::SearchQuery query;
  const std::array parameters{
      Filter{"status", [&](const auto& text) { return read_statuses(text, query.statuses); }},
      Filter{"problem", [&](const auto& text) { return read_text(text, query.problem); }},
      Filter{"tag", [&](const auto& text) { return read_filter_tags(text, query); }},
      Filter{"name", [&](const auto& text) { return read_text(text, query.name_part); }},
      Filter{
          "created_after",
          [&](const auto& text) { return read_time(text, /*before=*/false, query.created_after); }},
      Filter{
          "created_before",
          [&](const auto& text) { return read_time(text, /*before=*/true, query.created_before); }},
      Filter{"sort", [&](const auto& text) { return read_sort(text, query); }}};
  if (auto wrong = read_filters(request, parameters)) {
    return std::move(*wrong);
  }
  return query;
}

http::Response list_searches(Application& application, const http::Request& request) {
  const auto wanted = page_request(request);
  if (!wanted) {
    return bad_limit();
  }
  auto query = search_query(request);
  if (auto* wrong = std::get_if<http::Response>(&query)) {
    return std::move(*wrong);
  }
  const auto page = application.store.list_searches(wanted->limit, wanted->after,
                                                    std::get<db::SearchQuery>(query));
  std::string body;
  json::ObjectText object(body);
  json::append_list(object.member("searches"), page.rows,
                    [&](std::string& out, const db::SearchSummary& summary) {
                      out += summary_json(current(application.service.state(), summary));
                    });
  object.text_or_null("next", page.next).close();
  auto response = json_text_answer(200, body);
  link_next(response, request, wanted->limit, page.next);
  return response;
}

}  // namespace

void add_search_list(http::Router& router, Application& application) {
  const http::Parameters known{"limit", "after",         "status",         "problem", "tag",
                               "name",  "created_after", "created_before", "sort"};
  router.add("GET", "/api/v1/searches", known, bound(application, list_searches));
}

}  // namespace macrostep::server
