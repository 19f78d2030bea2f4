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

#include "engine/plan/plan.hpp"
#include "engine/stability/propagation.hpp"

namespace macrostep::engine {

/// Ours: a growth by a tenth over a whole run is not seen among the errors of the coupling.
inline constexpr double allowed_growth = 1.1;

/// ln of the growth of the exact system of a configuration over this duration, at least 0; 0 where
/// it is not known, as with delays.
double exact_log_growth(const Plan& plan, const Configuration& configuration, double duration_s);

/// Judges the macro-steps of one configuration.
class Stability {
 public:
  /// Over runs of this duration. The plan and the configuration must outlive it.
  Stability(const Plan& plan, const Configuration& configuration, double duration_s);
  /// Where exact_log_growth() over this duration is known already.
  Stability(const Plan& plan, const Configuration& configuration, double duration_s,
            double exact_log_growth);

  /// Or why that is not known: the problem is not linear, or keeps more than a vector.
  std::variant<bool, std::string> is_stable(double macro_step_s) const;

 private:
  Propagation propagation_;
  double duration_s_;
  double exact_log_growth_;
};

/// The duration of the longest test: what is unstable there is not to be recommended.
double longest_test_s(const Plan& plan);

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
