// What the flags of curves and of the table's rows mean, in words: for every way in the same.
#pragma once

#include <string>
#include <string_view>

namespace macrostep::server::json {

/// "still linear at the largest H tried: …"; of an unknown flag its name in plain words.
std::string flag_meaning(std::string_view flag);

}  // namespace macrostep::server::json
