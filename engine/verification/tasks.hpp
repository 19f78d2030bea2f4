// What a search needs besides the trials of its curves, as tasks: runs of its checks, the error of
// its answer, times of macro-steps. A task names everything by its place in the plan, and its
// result is small, so that another process or machine can perform it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/cost/step_times.hpp"
#include "engine/ensemble/trial_backend.hpp"
#include "engine/plan/plan.hpp"
#include "engine/verification/probes/growth_probe.hpp"
#include "engine/verification/probes/linearity.hpp"
#include "engine/verification/probes/operating_points.hpp"
#include "engine/verification/refinement.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

/// How a run ends.
struct RunTask {
  TrialSpec run;
};
/// Against the run with H / finer (refinement.hpp).
struct RefineTask {
  TrialSpec run;
  std::int64_t finer = 1;
};
/// Against the monolithic solution (true_error.hpp).
struct ErrorTask {
  TrialSpec run;
};
/// By the motions that jumps excite (growth_probe.hpp).
struct ProbeTask {
  std::size_t configuration = 0;
  double macro_step_s = 0;
  double duration_s = 0;
  std::int64_t finer = 1;
  std::optional<double> session_s;  ///< where it is known already
  std::optional<double> longest_s;  ///< beyond it no run is made longer
};
/// Whether lasting inputs show the problem to be linear (probe_linearity).
struct LinearityTask {
  std::size_t configuration = 0;
  double macro_step_s = 0;
};
/// By the motions around a state, one of CheckInputs::operating_points (operating_points.hpp).
struct StateTask {
  std::size_t configuration = 0;
  double macro_step_s = 0;
  double duration_s = 0;
  std::size_t point = 0;
};

/// How long macro-steps take: alone, while no other task runs.
struct TimesTask {
  TimingCandidate candidate;
};

using Task =
    std::variant<RunTask, RefineTask, ErrorTask, ProbeTask, StateTask, TimesTask, LinearityTask>;
/// Results in the order of the kinds of tasks.
using TaskResult = std::variant<TrialResult, Refinement, MeasuredError, ProbedGrowth, StateMotions,
                                StepTimeTable, Linearity>;

/// Performs tasks: one result for each, in their order.
using PerformTasks = std::function<std::vector<TaskResult>(std::vector<Task>)>;

/// Makes the runs; those that share work together, times one after the other. After the stop flag
/// is set results mean nothing.
std::vector<TaskResult> perform(const Plan& plan, std::span<const Task> tasks,
                                const RunsOnThreads& runs);

/// Results that stand for tasks which nobody has performed, in their order: runs end with that
/// status, and the others have no result, for that reason.
std::vector<TaskResult> not_performed(std::span<const Task> tasks, TrialStatus status,
                                      const std::string& reason);

/// By perform(), here and now. The plan and the backend must outlive it.
PerformTasks performed_by(const Plan& plan, const RunsOnThreads& runs);

/// The results of tasks of one kind.
template <class Result, class Task>
std::vector<Result> results_of(const PerformTasks& perform, const std::vector<Task>& tasks) {
  std::vector<Result> results;
  if (!tasks.empty()) {
    for (auto& one : perform({tasks.begin(), tasks.end()})) {
      results.push_back(std::move(std::get<Result>(one)));
    }
  }
  models::ensure(results.size() == tasks.size(), "every task has one result");
  return results;
}

/// The error of the runs with every test of the job, the largest; absent where one of them has
/// none.
MeasuredError error_in_tests(const Plan& plan, std::size_t configuration, double macro_step_s,
                             const PerformTasks& perform);

/// The times of all candidates, in their order.
StepTimeTable measured_step_times(const std::vector<TimingCandidate>& candidates,
                                  const PerformTasks& perform);

}  // namespace macrostep::engine
