// Pages of listings, newest first: the inside of cursors, which are opaque to everyone else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

/// The cursor of a list with an order of its own: where it stands, in letters and digits after
/// `prefix`, which tells it from cursors of other lists.
std::string cursor_at(const std::string& prefix, std::string_view key, std::string_view id);
/// Key and id. Throws Error(bad_cursor) if it does not begin with `prefix`.
std::pair<std::string, std::string> parse_cursor(std::string_view cursor,
                                                 const std::string& prefix);
/// A text in sixteen hexadecimal digits: FNV-1a, 64 bits.
std::string text_tag(std::string_view text);

/// The limit as far as the store grants it.
std::int64_t page_rows(std::int64_t limit);

}  // namespace macrostep::db
