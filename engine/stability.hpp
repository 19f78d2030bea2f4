// The exact stability of a linear coupling, as a second opinion beside bend and cliff.
//
// A run of duration T counts as unstable where
//
//   ρ(Φ(H))^(T/H) > 1.1 · max(1, growth of the exact system over T)
//
// with the propagation matrix Φ of one macro-step (propagation.hpp): ρ ≤ 1 alone would forbid every
// H for a system without damping, whose ρ exceeds 1 by 8e-11 at 1 µs already.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "engine/plan.hpp"

namespace macrostep::engine {

struct StabilityLimit {
  double duration_s = 0;  ///< T of the runs
  /// The largest macro-step below which all are stable; absent if the largest one tried is, too.
  std::optional<double> limit_s;
  double largest_tried_s = 0;
};

/// Looks up from `smallest_s` to `largest_s`. Why there is none: the problem is not linear, or even
/// the smallest macro-step is unstable.
std::variant<StabilityLimit, std::string> stability_limit(const Plan& plan,
                                                          const Configuration& configuration,
                                                          double duration_s, double smallest_s,
                                                          double largest_s);

}  // namespace macrostep::engine
