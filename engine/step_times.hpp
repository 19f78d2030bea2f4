// How long a macro-step takes on this machine: of the few best configurations of a search, measured
// once all curves are finished, alone, one run after the other.
//
// A macro-step is timed where it runs, with its exchange and its residual, without traces or what
// passes between processes. Times differ from run to run: they rank nothing and are no part of what
// is compared bit for bit; only where the job asks for real time do they choose (real_time.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/plan.hpp"
#include "engine/trial.hpp"

namespace macrostep::engine {

struct Executor;

/// Configurations that are timed, beside the one of the paper's rule.
inline constexpr std::size_t timed_configurations = 3;
/// H of each of them.
inline constexpr std::size_t timed_macro_step_sizes = 5;
/// Macro-steps at each H: five of them may take longer than the 99.9 %.
inline constexpr std::size_t max_timed_macro_steps = 5000;
/// Time of the macro-steps at each H, those that took longest counted less (trial.cpp).
inline constexpr double max_timed_s = 0.02;
/// Runs of the test at each H: a short one is repeated.
inline constexpr int max_timed_runs = 20;
/// Macro-steps before, which fill caches and are not timed.
inline constexpr std::size_t warm_up_macro_steps = 50;

/// A configuration to be timed, in which test, and at which H.
struct Contender {
  std::size_t configuration = 0;
  std::size_t test = 0;               ///< the longest one that counts for it
  std::vector<double> macro_steps_s;  ///< the largest first
  bool eligible = true;  ///< for the recommendation; false: the run of the paper's rule
};

struct MeasuredStepTimes {
  std::size_t configuration = 0;
  double macro_step_s = 0;
  std::size_t macro_steps = 0;  ///< that were timed
  StepTimes times;
};

struct StepTimeSettings {
  const Configuration* configuration = nullptr;
  const TestInput* test = nullptr;
  double macro_step_s = 0;
  const std::atomic<bool>* stop = nullptr;
  bool single_run = false;  ///< without a warm-up: an FMU of which a process bears only one
};

struct TimedMacroSteps {
  std::size_t macro_steps = 0;  ///< 0: none was timed, see status and reason
  StepTimes times;
  TrialStatus status = TrialStatus::complete;  ///< of the run that ended it
  std::string reason;
};

/// Up to `count` of these macro-steps, the largest first, at about equal ratios. `ascending` is not
/// empty; its largest and its smallest are among them.
std::vector<double> spread_down(std::span<const double> ascending, std::size_t count);

/// Runs the test as often as it takes, within the limits above.
TimedMacroSteps time_macro_steps(const Plan& plan, const StepTimeSettings& settings);

struct StepTimeTable {
  std::vector<MeasuredStepTimes> rows;  ///< in the order of the contenders and their H
  std::string failure;                  ///< why one of them is missing; the first
};

/// On one thread, in the order of the contenders and their H. Once stopped, the rest is missing.
StepTimeTable measure_step_times(const Plan& plan, std::span<const Contender> contenders,
                                 const std::atomic<bool>* stop, const Executor& executor);

}  // namespace macrostep::engine
