// Lists of searches: filtered, sorted, in pages (search_walk.hpp). Each function does within
// a statement or the caller's transaction what the member of Store of its name promises
// (store.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/rows/rows.hpp"
#include "db/rows/search_query.hpp"
#include "db/schema/sqlite.hpp"

namespace macrostep::db {

Page<SearchSummary> list_searches(Connection& connection, std::int64_t limit,
                                  const std::optional<std::string>& after,
                                  const SearchQuery& query);
/// By status in the order given, the oldest first of each: Store sorts them together.
std::vector<SearchSummary> searches_with_status(Connection& connection,
                                                std::span<const std::string> statuses);
std::vector<DisposableSearch> disposable_searches_ended_before(Connection& connection,
                                                               std::string_view time,
                                                               std::int64_t limit);
std::vector<DisposableSearch> disposable_searches_beyond(Connection& connection, std::int64_t keep,
                                                         std::int64_t limit);

}  // namespace macrostep::db
