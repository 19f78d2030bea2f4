// How many trials step side by side where they can (lanes.hpp).
#pragma once

#include <cstddef>

namespace macrostep::models {

/// One vector of AVX2. Two, so that one fills the waits of the other, gain a tenth where roots and
/// quotients do not, and more of them stay empty.
inline constexpr std::size_t lane_count = 4;

}  // namespace macrostep::models
