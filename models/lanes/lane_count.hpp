// How many trials step side by side where they can (lanes.hpp), and by which instructions.
#pragma once

#include <cstddef>

namespace macrostep::models {

/// One vector of AVX-512, or two of AVX2, of which one fills the waits of the other.
inline constexpr std::size_t lane_count = 8;

/// Instructions that a processor has and a file is compiled for.
enum class LaneLevel { none, avx2, avx512 };

}  // namespace macrostep::models
