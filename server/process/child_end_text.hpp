// How a process ended, in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/process/child.hpp"

namespace macrostep::server {

/// "segmentation fault (SIGSEGV) after taking 950 MB of the 1000 MB that it may".
std::string end_text(const ChildEnd& end, std::int64_t memory_limit_bytes);

/// The last line of what a process wrote, cut to a length for people; empty if there is none.
std::string last_words(std::string_view output);

}  // namespace macrostep::server
