#include "db/page.hpp"

#include <algorithm>
#include <cstddef>

#include "db/error.hpp"
#include "db/store.hpp"

namespace macrostep::db {

namespace {
constexpr std::size_t time_chars = 24;  // 2025-01-31T12:00:00.000Z
}

std::string age_cursor(const std::string& created_at, const std::string& id) {
  return created_at + "," + id;
}

AgeCursor parse_age_cursor(const std::optional<std::string>& text) {
  if (!text) {
    return {};
  }
  if (text->size() < time_chars + 2 || (*text)[time_chars] != ',' || !text->starts_with("20")) {
    refuse_cursor();
  }
  return {.created_at = text->substr(0, time_chars), .id = text->substr(time_chars + 1)};
}

void refuse_cursor() {
  throw Error(ErrorKind::bad_cursor, "the page cursor is not one of this listing");
}

std::int64_t page_rows(std::int64_t limit) {
  return std::clamp(limit, std::int64_t{1}, maximum_page_rows);
}

}  // namespace macrostep::db
