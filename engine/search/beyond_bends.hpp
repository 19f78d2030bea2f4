// How far a linear problem goes beyond the bends of its curves. A bend tells where outputs become
// inaccurate; where growth was told by runs and no accuracy is asked for, growth alone ends H.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "engine/recommendation/recommendation.hpp"
#include "engine/verification/run_checks.hpp"

namespace macrostep::engine {

/// Beside what passes stands an H that fails which is larger by no more than this ratio.
inline constexpr double last_bracket = 1.02;
/// Checks and configurations at most.
inline constexpr std::size_t most_checks_beyond = 200;
inline constexpr std::size_t most_configurations_beyond = 16;

struct BeyondBends {
  std::size_t configuration = 0;
  double macro_step_s = 0;  ///< the largest found that passes
  std::vector<CheckOutcome> checks;
  std::optional<double> rejected_s;  ///< the smallest that does not; absent: all larger ones pass
  CheckOutcome objection;            ///< to it, or what is unknown of it

  bool is_unknown() const { return objection.verdict != Verdict::objects; }
};

/// The checks of a run, by its configuration and macro-step.
using CheckRun = std::function<CheckedRun(std::size_t configuration, double macro_step_s)>;

/// The configuration that passes with the largest H, up to where the trials of its curves complete:
/// by bisection, the recommended one first, others where they pass beyond what has passed. An
/// answer without a recommendation begins with the smallest H tried. Nothing where no larger H
/// passes, or a run shows that the problem is not linear.
std::optional<BeyondBends> go_beyond_bends(const Plan& plan, const Answer& answer,
                                           const CheckRun& check, const std::atomic<bool>& stopped);

}  // namespace macrostep::engine
