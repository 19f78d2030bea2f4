// A sequence of unlike numbers that fill a range evenly, for what must not move alike.
#pragma once

#include <cmath>
#include <cstddef>

namespace macrostep::engine {

/// The member at this place of a sequence in [0, 1): multiples of the golden ratio without their
/// whole parts.
inline double golden_share(std::size_t place) {
  const double multiple = 0.6180339887498949 * static_cast<double>(place + 1);
  return multiple - std::floor(multiple);
}

}  // namespace macrostep::engine
