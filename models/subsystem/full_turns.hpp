// Angles that are the same but for full turns.
#pragma once

#include <cmath>
#include <numbers>

namespace macrostep::models {

/// The full turns in an angle, as an angle: what is left is in [−π, π].
inline double full_turns(double angle_rad) {
  constexpr double turn_rad = 2 * std::numbers::pi;
  return turn_rad * std::round(angle_rad / turn_rad);
}

}  // namespace macrostep::models
