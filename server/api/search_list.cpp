// GET /api/v1/searches: what of them is listed, and in which order.
#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/api/respond.hpp"
#include "server/json/json_text.hpp"
#include "server/json/labels.hpp"
#include "server/json/nearest_name.hpp"
#include "server/service/search_json.hpp"
#include "server/service/time_text.hpp"

namespace macrostep::server::api {

namespace {

constexpr std::size_t max_filter_bytes = 200;

struct SortName {
  const char* name;
  db::SearchOrder order;
};
constexpr std::array sort_names{SortName{"created_at", db::SearchOrder::by_creation},
                                SortName{"finished_at", db::SearchOrder::by_end},
                                SortName{"name", db::SearchOrder::by_name}};

/// What is wrong with a parameter; nothing if it is well.
using Mistake = std::optional<std::string>;

/// "a,b,c" as its parts.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// In order and each once, so that another way to write the same list is the same list.
std::vector<std::string> as_set(std::vector<std::string> list) {
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

Mistake read_statuses(const std::string& text, db::SearchQuery& query) {
  query.statuses = as_set(parts_of(text));
  for (const auto& status : query.statuses) {
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

Mistake read_filter_tags(const std::string& text, db::SearchQuery& query) {
  query.tags = as_set(parts_of(text));
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

/// The store has milliseconds: `after` leaves out what is shorter, `before` must not.
Mistake read_time(const std::string& text, bool before, std::optional<std::string>& target) {
  using std::chrono::milliseconds;
  const auto time = service::time_from(text);
  if (!time) {
    return "must be a time as RFC 3339 has it, such as 2025-01-31T12:00:00Z or, with + written as "
           "%2B, 2025-01-31T13:00:00%2B01:00, not " +
           json::in_quotes(text);
  }
  target = service::utc_text(before ? std::chrono::ceil<milliseconds>(*time)
                                    : std::chrono::floor<milliseconds>(*time));
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
  struct Parameter {
    const char* name;
    std::function<Mistake(const std::string&)> read;
  };
  const std::array parameters{
      Parameter{"status", [&](const std::string& text) { return read_statuses(text, query); }},
      Parameter{"problem", [&](const std::string& text) { return read_text(text, query.problem); }},
      Parameter{"tag", [&](const std::string& text) { return read_filter_tags(text, query); }},
      Parameter{"name", [&](const std::string& text) { return read_text(text, query.name_part); }},
      Parameter{"created_after",
                [&](const std::string& text) {
                  return read_time(text, /*before=*/false, query.created_after);
                }},
      Parameter{"created_before",
                [&](const std::string& text) {
                  return read_time(text, /*before=*/true, query.created_before);
                }},
      Parameter{"sort", [&](const std::string& text) { return read_sort(text, query); }}};
  for (const auto& [name, read] : parameters) {
    if (const auto* text = request.query(name)) {
      if (const auto mistake = read(*text)) {
        return http::problem_response(400, std::string(name) + ": " + *mistake);
      }
    }
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
                      out += service::summary_json(application.service.current(summary));
                    });
  object.text_or_null("next", page.next).close();
  auto response = json_text_answer(200, body);
  link_next(response, request, wanted->limit, page.next);
  return response;
}

}  // namespace

void add_search_list(http::Router& router, Application& application) {
  const Parameters known{"limit", "after",         "status",         "problem", "tag",
                         "name",  "created_after", "created_before", "sort"};
  router.add("GET", "/api/v1/searches",
             knowing(known, guarded(application, [&application](const http::Request& request) {
                       return list_searches(application, request);
                     })));
}

}  // namespace macrostep::server::api
