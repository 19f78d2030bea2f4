#include "engine/base/wilson.hpp"

#include <algorithm>
#include <cmath>

namespace macrostep::engine {

Interval wilson_interval(std::size_t hits, std::size_t tries) {
  if (tries == 0) {
    return {};
  }
  constexpr double z = 1.959963984540054;  // 97.5 % of the normal distribution lie below
  const auto n = static_cast<double>(tries);
  const double p = static_cast<double>(hits) / n;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // Where all or none hit, one end is exact.
  return {.low = hits == 0 ? 0 : std::max(0.0, middle - half),
          .high = hits == tries ? 1 : std::min(1.0, middle + half)};
}

}  // namespace macrostep::engine
