// Times as text: the store's and the API's form, and what RFC 3339 allows a user besides.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace macrostep::server {

using Milliseconds = std::chrono::sys_time<std::chrono::milliseconds>;

/// "2025-01-31T12:00:00.000Z"
std::string utc_text(Milliseconds time);

/// The stored times next to a time of any precision: both are itself if it has no more than
/// milliseconds.
struct TimeBounds {
  Milliseconds not_after;
  Milliseconds not_before;
};

/// Reads an RFC 3339 time of the years 1 to 9999, such as "2025-01-31T13:00:00.5+01:00".
std::optional<TimeBounds> time_from(std::string_view text);

/// Reads a time that utc_text() wrote.
Milliseconds stored_time(std::string_view text);

}  // namespace macrostep::server
