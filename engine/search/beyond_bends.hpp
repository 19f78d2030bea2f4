// How far a linear problem goes beyond the bends of its curves. A bend tells where outputs become
// inaccurate; where runs tell the growth and no accuracy is asked for, growth alone ends H.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/recommendation/recommendation.hpp"
#include "engine/verification/run_checks.hpp"

namespace macrostep::engine {

/// What passes and what fails differ by this ratio at last, up to the rounding to three digits.
inline constexpr double last_bracket = 1.02;
/// Checks, and configurations that are looked at.
inline constexpr std::size_t most_checks_beyond = 200;
inline constexpr std::size_t most_configurations_beyond = 16;

/// The largest H with which no motion of a configuration grows.
struct StableStep {
  std::size_t configuration = 0;
  double macro_step_s = 0;
  std::vector<CheckOutcome> checks;  ///< of it
  std::optional<double> failed_s;    ///< the smallest larger H that does not pass, if any was tried
  std::string_view failed_by;        ///< the flag of curves that it cuts; empty with `failed_s`
  std::vector<Notice> failure;       ///< why
};

struct StableSteps {
  std::vector<StableStep> list;
  bool is_limited = false;  ///< most_checks_beyond has ended it
};

/// The checks of a run, by its configuration and macro-step.
using CheckRun = std::function<CheckedRun(std::size_t configuration, double macro_step_s)>;

/// Bisects from the recommended H up to where trials complete, or a check has objected; then asks
/// other configurations for what has passed, and for more. Without a recommendation it begins with
/// the smallest H. Configurations whose exact rates are known are left as they are. Empty where
/// runs show that the problem is not linear.
StableSteps largest_stable_steps(const Plan& plan, const Answer& answer, const CheckRun& check,
                                 const std::atomic<bool>& stopped);

}  // namespace macrostep::engine
