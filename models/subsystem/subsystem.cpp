#include "models/subsystem/subsystem.hpp"

#include <algorithm>
#include <cmath>

namespace macrostep::models {

namespace {
/// H = k·h must give k micro-steps although H/h rounds to slightly more than k.
constexpr double ratio_tolerance = 1e-9;
}  // namespace

int micro_steps_in(double macro_step_s, std::optional<double> micro_step_s) {
  if (!micro_step_s) {
    return 1;
  }
  return std::max(1, static_cast<int>(std::ceil(macro_step_s / *micro_step_s - ratio_tolerance)));
}

}  // namespace macrostep::models
