// Where the code of subsystems runs: in this process, or in others that may crash.
//
// Whatever the executor, results are the same bit for bit; what ends the process that a trial runs
// in is the trial's result (crashed, timed_out), not an exception.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "engine/base/parallel.hpp"
#include "engine/bonds/bond_sign.hpp"
#include "engine/reference/reference_rows.hpp"
#include "engine/reference/true_error.hpp"
#include "engine/stability/analysis_point.hpp"
#include "engine/trial/time_macro_steps.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

/// The others are called from several threads at once, and return soon after the stop flag is set;
/// bond_sign() has none, and returns within the timeout of a trial.
/// Tests are the inputs of the plan, with any duration.
struct Executor {
  /// Spreads what calls the others over threads (parallel.hpp).
  std::function<decltype(engine::for_each_index)> for_each_index = engine::for_each_index;
  std::function<decltype(engine::run_trial)> run_trial = engine::run_trial;
  std::function<decltype(engine::time_macro_steps)> time_macro_steps = engine::time_macro_steps;
  std::function<decltype(engine::error_in_test)> error_in_test = engine::error_in_test;
  std::function<decltype(engine::analyse_point)> analyse_point = engine::analyse_point;
  std::function<decltype(engine::follow_reference)> follow_reference = engine::follow_reference;
  std::function<decltype(engine::bond_sign)> bond_sign = engine::bond_sign;
};

/// Whether it runs trials in this process, where several may share work.
bool runs_in_this_process(const Executor& executor);

/// Trials of one plan, in their order; side by side (run_trials.hpp) where the executor runs them
/// in this process.
std::vector<TrialResult> run_trials(const Executor& executor, const Plan& plan,
                                    std::span<const TrialSettings> trials);

/// Into how many parts, each for run_trials() on one thread, to divide trials of a configuration.
std::size_t parts_of_trials(const Executor& executor, const Plan& plan,
                            const Configuration& configuration, std::size_t trials, int threads);

/// How a caller wants several runs made.
struct RunsOnThreads {
  const Executor& executor;
  int threads = 0;  ///< 0: all processors
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace macrostep::engine
