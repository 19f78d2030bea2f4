// Whether runs come to their end: under inputs that last longer than the tests, and over a session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/verification/check_outcome.hpp"
#include "engine/verification/compared.hpp"
#include "engine/verification/tasks.hpp"

namespace macrostep::engine {

using CheckedStep = std::pair<std::size_t, double>;  ///< configuration, macro-step [s]

/// How much finer the runs are that others are compared with; and where a run does not follow, or
/// ends, how much smaller the macro-step at least that is asked then: never itself.
inline constexpr std::int64_t smaller_by = 4;

/// The smallest macro-step that is asked of one that does not follow, or ends.
CheckedStep smallest_of(const Plan& plan, CheckedStep run);

/// The plan, and what `perform` refers to, must outlive it.
class Completion {
 public:
  using Inputs = std::vector<const TestInput*>;

  Completion(const Plan& plan, PerformTasks perform);

  /// The run of a configuration under an input of the plan.
  TrialSpec run_of(CheckedStep run, const TestInput* input) const {
    return {.configuration = run.first, .input = place_.at(input), .macro_step_s = run.second};
  }

  /// By input that a run does not complete, whether one with the smallest macro-step does, and the
  /// problem does not leave its bounds by itself at about the same time.
  std::vector<bool> smallest_goes_on(CheckedStep run, const Inputs& ended, double& cost);

  /// Objects where the run does not complete a lasting input that one with the smallest does, but
  /// where the problem leaves its bounds by itself at about the same time.
  CheckOutcome of_lasting(CheckedStep run, double& cost);

  /// A run over the session, up to a number of macro-steps, or beyond where another one has
  /// ended; where its input ends, that stands still. Objects where the run does not
  /// complete and one with a small macro-step goes on. No verdict where that ends, too, or where
  /// no run can be so long.
  CheckOutcome of_session(CheckedStep run, double session_s, double& cost);

 private:
  template <class Key>
  using Known = std::map<Key, std::pair<CheckOutcome, double>>;  ///< with the cost

  std::vector<TrialResult> results(CheckedStep run, const Inputs& inputs,
                                   std::optional<double> until_s, double& cost);
  /// By input, why its run does not complete; empty where it does.
  std::vector<std::string> why_not(CheckedStep run, const Inputs& inputs, double& cost);
  bool leaves_bounds(CheckedStep smallest, const TestInput* input, const TrialResult& ended,
                     double& cost);
  CheckOutcome judge_lasting(CheckedStep run, double& cost);
  CheckOutcome judge_session(CheckedStep run, double until_s, double session_s, double& cost);

  const Plan& plan_;
  PerformTasks perform_;
  std::map<const TestInput*, std::size_t> place_;  ///< in Plan::inputs()
  Known<CheckedStep> lasting_;
  Known<std::pair<CheckedStep, double>> session_;  ///< and how long the run is
  double latest_end_s_ = 0;  ///< the latest end of a run over a session; not of one too slow
};

}  // namespace macrostep::engine
