// How long the macro-steps of one run take on this machine.
//
// A macro-step is timed where it runs, with its exchange and its residual, without traces or what
// passes between processes.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "engine/plan/plan.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

/// Macro-steps at each H: five of them may take longer than the 99.9 %.
inline constexpr std::size_t max_timed_macro_steps = 5000;
/// Time of the macro-steps at each H, those that took longest counted less (trial.cpp).
inline constexpr double max_timed_s = 0.02;
/// Runs of the test at each H: a short one is repeated.
inline constexpr int max_timed_runs = 20;
/// Macro-steps before, which fill caches and are not timed.
inline constexpr std::size_t warm_up_macro_steps = 50;

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

/// Runs the test as often as it takes, within the limits above.
TimedMacroSteps time_macro_steps(const Plan& plan, const StepTimeSettings& settings);

}  // namespace macrostep::engine
