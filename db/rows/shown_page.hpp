// Pages of a list of which only what meets some filters is shown; newest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "db/rows/page.hpp"
#include "db/rows/rows.hpp"
#include "db/rows/search_query.hpp"

namespace macrostep::db {

/// What the cursors of a list begin with: they belong to its filters. Nothing without filters.
inline std::string filter_prefix(const std::string& filters) {
  return filters.empty() ? "" : text_tag(filters) + ".";
}

/// Throws Error(bad_cursor) if it is one of other filters.
inline AgeCursor parse_cursor_of(const std::optional<std::string>& after,
                                 const std::string& prefix) {
  if (after && !after->starts_with(prefix)) {
    refuse_cursor();
  }
  return parse_age_cursor(after ? std::optional(after->substr(prefix.size())) : std::nullopt);
}

/// `next` reads the next row into its argument and tells whether it is shown, or nothing at the
/// end; `cursor_after` makes the cursor of what follows a row.
template <class Row>
Page<Row> shown_page(std::int64_t limit, const auto& next, const auto& cursor_after) {
  const auto wanted = static_cast<std::size_t>(page_rows(limit));
  Page<Row> page;
  for (std::int64_t examined = 1;; ++examined) {
    Row row;
    const std::optional<bool> shown = next(row);
    if (!shown) {
      return page;
    }
    if (*shown && page.rows.size() == wanted) {
      page.next = cursor_after(page.rows.back());
      return page;
    }
    if (examined == maximum_rows_examined) {
      page.next = cursor_after(row);
    }
    if (*shown) {
      page.rows.push_back(std::move(row));
    }
    if (page.next) {
      return page;
    }
  }
}

}  // namespace macrostep::db
