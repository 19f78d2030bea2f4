// Along an index of searches, row by row, from where a page of a list begins: the index of the
// list's order, or of a filter that has the same order. What is met still has to be looked at.
#pragma once

#include <list>
#include <optional>
#include <string>

#include "db/rows/search_query.hpp"
#include "db/schema/sqlite.hpp"

namespace macrostep::db {

/// Where a page begins: beyond this key and id. No key: before all, or in descending order after
/// all of them; no id: after all that have the key.
struct Position {
  std::optional<std::string> key;
  std::optional<std::string> id;
};

/// What of a search decides whether it is shown.
struct ListedSearch {
  std::string key;
  std::string id;
  std::string name;
  std::string problem;
  std::string status;
  std::string created_at;
};

/// The statement of a walk, along the searches of one status if it is given: ?1 and ?2 are the
/// position, ?3 the tag or the problem.
std::string walk_sql(const SearchQuery& query, const char* status);

/// Searches that may be deleted by themselves, what ended first first, ?2 at the most: what ended
/// before ?1, and all but ?1 of them. Neither looks at what stays. What has not ended has the key
/// '~', beyond every time.
inline constexpr const char* disposable_before_sql = R"(
SELECT id, end_key FROM searches WHERE tagged = 0 AND end_key < '~' AND end_key < ?1
ORDER BY end_key, id LIMIT ?2)";
inline constexpr const char* disposable_beyond_sql = R"(
SELECT id, end_key FROM searches WHERE tagged = 0 AND end_key < '~' ORDER BY end_key, id
LIMIT min(?2, max(0, (SELECT searches FROM search_counts WHERE what = 'disposable') - ?1)))";

/// One way along an index.
class Walk {
 public:
  Walk(Connection& connection, const SearchQuery& query, const char* status, const Position& from);

  /// Where it is; nothing at the end.
  const std::optional<ListedSearch>& at() const { return at_; }
  void advance();

 private:
  Statement statement_;
  std::optional<ListedSearch> at_;
};

/// The walks whose rows together, in order, are those of the list and others that do not match.
std::list<Walk> walks_of(Connection& connection, const SearchQuery& query, const Position& from);

/// The walk that is at the next row of the list; null at the end.
Walk* next_walk(std::list<Walk>& walks, bool descending);

}  // namespace macrostep::db
