// Names and times of searches.
#pragma once

#include <string>

namespace macrostep::server {

/// Sixteen hexadecimal digits that no other search has: 64 random bits.
std::string new_search_id();

/// Now as RFC 3339 UTC text with milliseconds: "2025-01-31T12:00:00.000Z".
std::string utc_now();

}  // namespace macrostep::server
