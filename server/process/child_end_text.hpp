// How a process ended, in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/process/child.hpp"

namespace macrostep::server {

/// The end of a process that ran another one and tells the other's end by a signal as an exit code
/// above 128, as bubblewrap and shells do: that other end.
ChildEnd end_of_other(ChildEnd end);

/// "segmentation fault (SIGSEGV) after using 950 MB of its 1000 MB of memory".
std::string end_text(const ChildEnd& end, std::int64_t memory_limit_bytes);

/// The last line of what a process wrote, cut to a length for people; empty if there is none.
std::string last_words(std::string_view output);

}  // namespace macrostep::server
