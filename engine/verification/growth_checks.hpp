// What is known of the growth of runs, by probes (probes/), each made only once for the same run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "engine/stability/growth.hpp"
#include "engine/verification/check_outcome.hpp"
#include "engine/verification/completion.hpp"
#include "engine/verification/probes/growth_probe.hpp"
#include "engine/verification/probes/operating_points.hpp"
#include "engine/verification/tasks.hpp"

namespace macrostep::engine {

/// Smaller H that must not grow either go from H down to this share of it.
inline constexpr double growth_grid_depth = 8;

/// Where the problem is not linear, runs are checked with so much larger a macro-step.
inline constexpr double margin_where_not_linear = 1.25;

/// The plan, and what `perform` refers to, must outlive it. Costs are added, also of runs that were
/// known.
class GrowthChecks {
 public:
  /// `session_s`: how long a session is, where that is known without runs.
  GrowthChecks(const Plan& plan, PerformTasks perform, std::optional<double> session_s);

  /// After jumps, with this macro-step.
  CheckOutcome at(CheckedStep run, double& cost);
  /// What objects to this macro-step, to a smaller one or to one within the margin; else `outcome`.
  CheckOutcome below(CheckedStep run, CheckOutcome outcome, double& cost);
  /// `outcome`, unless lasting inputs show that the problem is not linear.
  CheckOutcome if_linear(CheckedStep run, bool in_full, CheckOutcome outcome, double& cost);
  /// What the motions around states say, where the problem is not linear; else `outcome`.
  CheckOutcome around_states(CheckedStep run, CheckOutcome outcome, double& cost);

  /// How long a session is; 0 where no motion is known.
  double session_s(CheckedStep run, double& cost) { return judged(run, cost).session_s; }
  bool is_linear_nowhere() const { return is_linear_nowhere_; }  ///< around states

  /// The growth of an answer. Nothing where it is not known to be stable.
  std::optional<SessionGrowth> told(std::size_t configuration, double macro_step_s);

 private:
  ProbedGrowth judged(CheckedStep run, double& cost);
  ProbedGrowth probe(CheckedStep run, std::int64_t times);
  const ProbedGrowth& probed(CheckedStep run, std::int64_t times);
  bool ends_by_itself(CheckedStep run, const EndedJump& ended, double& cost);
  const AroundStates& probed_states(CheckedStep run);
  std::optional<SessionGrowth> told_around_states(CheckedStep run);

  const Plan& plan_;
  PerformTasks perform_;
  std::optional<double> session_s_;
  double duration_s_;
  std::map<std::pair<CheckedStep, std::int64_t>, ProbedGrowth> growth_;  ///< and how much finer
  std::map<CheckedStep, double> ends_s_;  ///< where what ends in a jump does so with any macro-step
  std::map<CheckedStep, AroundStates> states_;
  std::map<CheckedStep, Linearity> linearity_;
  std::optional<Notice> nonlinearity_;  ///< that lasting inputs have shown, with any run
  bool is_linear_nowhere_ = false;      ///< around states: not asked again
};

}  // namespace macrostep::engine
