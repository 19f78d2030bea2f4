// Which searches a list shows, and in which order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace macrostep::db {

/// What the status of a search or an analysis may be.
inline constexpr std::array known_statuses{"queued", "running",   "succeeded",
                                           "failed", "cancelled", "interrupted"};

/// A page of a list looks at no more searches than this: one that finds few among them is short,
/// or empty, and has a `next` all the same.
constexpr std::int64_t maximum_rows_examined = 10'000;

/// By end: what has not ended comes as if it ended last. By name: without regard to the case of
/// ASCII letters.
enum class SearchOrder { by_creation, by_end, by_name };

/// What a search must have, all of it; by default nothing, and the newest comes first.
struct SearchQuery {
  std::vector<std::string> statuses = {};  // one of these; none: any
  std::optional<std::string> problem = {};
  std::vector<std::string> tags = {};         // all of these
  std::optional<std::string> name_part = {};  // ASCII letters in either case
  std::optional<std::string> created_after = {};
  std::optional<std::string> created_before = {};
  SearchOrder order = SearchOrder::by_creation;
  bool descending = true;
};

}  // namespace macrostep::db
