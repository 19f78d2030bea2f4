#include "db/store/search_lists.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "db/rows/page.hpp"
#include "db/store/search_walk.hpp"

namespace macrostep::db {
namespace {

/// A search by a preset has no recommendation but that of its paper.
constexpr const char* summary_select = R"(
SELECT s.id, s.name, s.problem, s.status, s.complete, s.created_at, s.started_at, s.finished_at,
  s.reason, s.linear_region_rule, s.curves_done, s.curves_total, s.trials_done,
  iif(r.search_id IS NULL, p.recommendation, r.recommendation),
  s.note, (SELECT json_group_array(t.tag) FROM search_tags AS t WHERE t.search_id = s.id),
  s.priority, s.queued_at,
  iif(r.search_id IS NULL, p.configuration_id, r.configuration_id),
  iif(r.search_id IS NULL, p.macro_step_s, r.macro_step_s),
  iif(r.search_id IS NULL, p.sentence, r.sentence)
FROM searches AS s
LEFT JOIN recommendations AS r ON r.search_id = s.id AND r.rule = 'max_min'
LEFT JOIN recommendations AS p ON p.search_id = s.id AND p.rule = 'paper' )";

void read_summary(const Statement& statement, SearchSummary& row) {
  statement.read(row.id, row.name, row.problem, row.status, row.complete, row.created_at,
                 row.started_at, row.finished_at, row.reason, row.linear_region_rule,
                 row.progress.curves_done, row.progress.curves_total, row.progress.trials_done,
                 row.recommendation, row.note, row.tags, row.priority, row.queued_at,
                 row.recommended_configuration, row.recommended_macro_step_s,
                 row.recommended_sentence);
}

std::vector<DisposableSearch> disposable_of(Statement& query) {
  std::vector<DisposableSearch> searches;
  while (query.step()) {
    searches.push_back({query.text(0), query.text(1)});
  }
  return searches;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool holds(const std::string& text, const std::string& part) {
  return !std::ranges::search(text, part, {}, lower, lower).empty() || part.empty();
}

bool matches(Connection& connection, const ListedSearch& row, const SearchQuery& query) {
  const auto& statuses = query.statuses;
  if (!statuses.empty() && std::ranges::find(statuses, row.status) == statuses.end()) {
    return false;
  }
  if ((query.problem && row.problem != *query.problem) ||
      (query.created_after && row.created_at <= *query.created_after) ||
      (query.created_before && row.created_at >= *query.created_before) ||
      (query.name_part && !holds(row.name, *query.name_part))) {
    return false;
  }
  if (query.tags.empty()) {
    return true;
  }
  auto tagged = connection.prepare("SELECT 1 FROM search_tags WHERE search_id = ?1 AND tag = ?2");
  return std::ranges::all_of(query.tags, [&](const std::string& tag) {
    tagged.bind(row.id, tag);
    return tagged.step();
  });
}

/// In the order of creation, whether nothing from here on lies in the wanted time.
bool is_beyond(const ListedSearch& row, const SearchQuery& query) {
  if (query.order != SearchOrder::by_creation) {
    return false;
  }
  return query.descending ? query.created_after && row.created_at <= *query.created_after
                          : query.created_before && row.created_at >= *query.created_before;
}

/// Before the first page.
Position beginning(const SearchQuery& query) {
  const bool by_creation = query.order == SearchOrder::by_creation;
  if (query.descending) {
    return {.key = by_creation ? query.created_before : std::nullopt, .id = ""};
  }
  return by_creation && query.created_after ? Position{.key = query.created_after, .id = {}}
                                            : Position{.key = "", .id = ""};
}

/// What a cursor must agree with: it belongs to one order and one set of filters.
std::string sort_of(const SearchQuery& query) {
  constexpr std::array names{"created_at", "finished_at", "name"};
  return (query.descending ? "-" : "") + std::string(names[static_cast<std::size_t>(query.order)]);
}

std::string cursor_prefix(const SearchQuery& query) {
  std::string filters;
  const auto add = [&](std::string_view text) {
    filters += std::to_string(text.size()).append(":").append(text);
  };
  const auto add_list = [&](const std::vector<std::string>& list) {
    add(std::to_string(list.size()));
    std::ranges::for_each(list, add);
  };
  add_list(query.statuses);
  add_list(query.tags);
  for (const auto& one :
       {query.problem, query.name_part, query.created_after, query.created_before}) {
    filters += one ? "+" : "-";
    add(one.value_or(""));
  }
  return sort_of(query) + "." + text_tag(filters) + ".";
}

}  // namespace

Page<SearchSummary> list_searches(Connection& connection, std::int64_t limit,
                                  const std::optional<std::string>& after,
                                  const SearchQuery& query) {
  const std::string prefix = cursor_prefix(query);
  Position from = beginning(query);
  if (after) {
    auto [key, id] = parse_cursor(*after, prefix);
    from = {.key = std::move(key), .id = std::move(id)};
  }
  const auto wanted = static_cast<std::size_t>(page_rows(limit));
  auto walks = walks_of(connection, query, from);
  auto get = connection.prepare(std::string(summary_select) + "WHERE s.id = ?1");
  Page<SearchSummary> page;
  ListedSearch last_shown;
  for (std::int64_t examined = 1;; ++examined) {
    Walk* walk = next_walk(walks, query.descending);
    if (!walk || is_beyond(*walk->at(), query)) {
      return page;
    }
    const ListedSearch& row = *walk->at();
    if (matches(connection, row, query)) {
      if (page.rows.size() == wanted) {
        page.next = cursor_at(prefix, last_shown.key, last_shown.id);
        return page;
      }
      get.bind(row.id);
      if (get.step()) {
        read_summary(get, page.rows.emplace_back());
      }
      last_shown = row;
    }
    if (examined == maximum_rows_examined) {
      page.next = cursor_at(prefix, row.key, row.id);
      return page;
    }
    walk->advance();
  }
}

std::vector<SearchSummary> searches_with_status(Connection& connection,
                                                std::span<const std::string> statuses) {
  // rowid: of those that came within a millisecond, the one that was stored first.
  auto query = connection.prepare(std::string(summary_select) +
                                  "WHERE s.status = ?1 ORDER BY s.created_at, s.rowid");
  std::vector<SearchSummary> found;
  for (const std::string& status : statuses) {
    query.bind(status);
    while (query.step()) {
      read_summary(query, found.emplace_back());
    }
  }
  return found;
}

std::vector<DisposableSearch> disposable_searches_ended_before(Connection& connection,
                                                               std::string_view time,
                                                               std::int64_t limit) {
  auto query = connection.prepare(disposable_before_sql);
  query.bind(time, limit);
  return disposable_of(query);
}

std::vector<DisposableSearch> disposable_searches_beyond(Connection& connection, std::int64_t keep,
                                                         std::int64_t limit) {
  auto query = connection.prepare(disposable_beyond_sql);
  query.bind(keep, limit);
  return disposable_of(query);
}

}  // namespace macrostep::db
