// Pages of listings, newest first: the inside of cursors, which are opaque to everyone else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace macrostep::db {

/// Where a page ends; by default before everything there is.
struct AgeCursor {
  std::string created_at = "~";  // sorts after every time
  std::string id = {};
};

std::string age_cursor(const std::string& created_at, const std::string& id);

/// Throws Error(bad_cursor) if it is none.
AgeCursor parse_age_cursor(const std::optional<std::string>& text);

[[noreturn]] void refuse_cursor();

/// The limit as far as the store grants it.
std::int64_t page_rows(std::int64_t limit);

}  // namespace macrostep::db
