#include "db/store/search_walk.hpp"

#include <algorithm>
#include <tuple>

namespace macrostep::db {
namespace {

bool comes_first(const ListedSearch& a, const ListedSearch& b, bool descending) {
  return descending ? std::tie(a.key, a.id) > std::tie(b.key, b.id)
                    : std::tie(a.key, a.id) < std::tie(b.key, b.id);
}

}  // namespace

std::string walk_sql(const SearchQuery& query, const char* status) {
  const bool by_creation = query.order == SearchOrder::by_creation;
  const bool by_tag = by_creation && !query.tags.empty();
  std::string key = by_tag ? "t.created_at" : "s.created_at";
  if (query.order == SearchOrder::by_end) {
    key = "s.end_key";
  } else if (query.order == SearchOrder::by_name) {
    key = "s.name_key";
  }
  const std::string id = by_tag ? "t.search_id" : "s.id";
  std::string sql = "SELECT " + key + ", s.id, s.name, s.problem, s.status, s.created_at FROM ";
  sql += by_tag ? "search_tags AS t CROSS JOIN searches AS s ON s.id = t.search_id WHERE t.tag = ?3"
                : "searches AS s WHERE ";
  if (by_tag) {
    sql += " AND ";
  } else if (status != nullptr) {
    sql += std::string("s.status = '") + status + "' AND ";
  } else if (by_creation && query.problem) {
    sql += "s.problem = ?3 AND ";
  }
  // Every text is less than x'', a blob.
  sql += "(" + key + ", " + id + ")";
  sql += query.descending
             ? " < (ifnull(?1, x''), ifnull(?2, x'')) ORDER BY " + key + " DESC, " + id + " DESC"
             : " > (ifnull(?1, ''), ifnull(?2, x'')) ORDER BY " + key + ", " + id;
  return sql;
}

Walk::Walk(Connection& connection, const SearchQuery& query, const char* status,
           const Position& from)
    : statement_(connection.prepare(walk_sql(query, status))) {
  const bool by_creation = query.order == SearchOrder::by_creation;
  if (by_creation && !query.tags.empty()) {
    statement_.bind(from.key, from.id, query.tags.front());
  } else if (by_creation && status == nullptr && query.problem) {
    statement_.bind(from.key, from.id, *query.problem);
  } else {
    statement_.bind(from.key, from.id);
  }
  advance();
}

void Walk::advance() {
  if (!statement_.step()) {
    at_.reset();
    return;
  }
  ListedSearch& row = at_.emplace();
  statement_.read(row.key, row.id, row.name, row.problem, row.status, row.created_at);
}

std::list<Walk> walks_of(Connection& connection, const SearchQuery& query, const Position& from) {
  std::list<Walk> walks;
  const bool by_status = query.order == SearchOrder::by_creation && query.tags.empty();
  if (!by_status || query.statuses.empty()) {
    walks.emplace_back(connection, query, nullptr, from);
    return walks;
  }
  // They stand in the text of statements, of which there is therefore one per status.
  for (const char* status : known_statuses) {
    if (std::ranges::find(query.statuses, status) != query.statuses.end()) {
      walks.emplace_back(connection, query, status, from);
    }
  }
  return walks;
}

Walk* next_walk(std::list<Walk>& walks, bool descending) {
  Walk* next = nullptr;
  for (Walk& walk : walks) {
    if (walk.at() && (!next || comes_first(*walk.at(), *next->at(), descending))) {
      next = &walk;
    }
  }
  return next;
}

}  // namespace macrostep::db
