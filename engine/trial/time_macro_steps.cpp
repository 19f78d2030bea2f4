#include "engine/trial/time_macro_steps.hpp"

#include <algorithm>
#include <utility>

namespace macrostep::engine {

namespace {

/// A run that takes as long, set-up included, may be repeated ten times.
constexpr double longest_set_up_s = max_timed_s / 10;

StepSamples empty_samples(std::size_t most) {
  StepSamples samples{.times_s = {}, .most = most, .left_s = max_timed_s};
  samples.times_s.reserve(most);
  return samples;
}

}  // namespace

TimedMacroSteps time_macro_steps(const Plan& plan, const StepTimeSettings& settings) {
  StepSamples warm_up = empty_samples(warm_up_macro_steps);
  StepSamples samples = empty_samples(max_timed_macro_steps);
  TrialSettings trial{.configuration = settings.configuration,
                      .test = settings.test,
                      .macro_step_s = settings.macro_step_s,
                      .stop = settings.stop,
                      .samples = &warm_up};
  TrialResult result;
  if (!settings.single_run) {
    result = run_trial(plan, trial);
  }
  trial.samples = &samples;
  const int runs = settings.single_run ? 1 : max_timed_runs;
  for (int run = 0; run < runs && result.status == TrialStatus::complete; ++run) {
    result = run_trial(plan, trial);
    samples.left_s -= std::min(result.wall_s, longest_set_up_s);
    if (samples.is_full()) {
      break;
    }
  }
  if (result.status != TrialStatus::complete) {
    return {.macro_steps = 0,
            .times = {},
            .status = result.status,
            .reason = std::string(to_string(result.status)) + ": " + result.reason};
  }
  const std::size_t macro_steps = samples.times_s.size();
  return {.macro_steps = macro_steps,
          .times = quantiles(std::move(samples.times_s)),
          .status = TrialStatus::complete,
          .reason = {}};
}

}  // namespace macrostep::engine
