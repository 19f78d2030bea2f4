#include "engine/step_times.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/executor.hpp"

namespace macrostep::engine {

namespace {

/// A run that takes as long, set-up included, may be repeated ten times.
constexpr double longest_set_up_s = max_timed_s / 10;

StepSamples empty_samples(std::size_t most) {
  StepSamples samples{.times_s = {}, .most = most, .left_s = max_timed_s};
  samples.times_s.reserve(most);
  return samples;
}

bool is_stopped(const std::atomic<bool>* stop) {
  return stop && stop->load(std::memory_order_relaxed);
}

}  // namespace

std::vector<double> spread_down(std::span<const double> ascending, std::size_t count) {
  const double largest = ascending.back();
  const double ratio = ascending.front() / largest;
  std::vector<double> chosen;
  for (std::size_t k = 0; k < count; ++k) {
    const double share = count > 1 ? static_cast<double>(k) / static_cast<double>(count - 1) : 0;
    const double wanted = largest * std::pow(ratio, share);
    const double nearest = *std::ranges::min_element(
        ascending, {}, [&](double value) { return std::abs(std::log(value / wanted)); });
    if (chosen.empty() || nearest < chosen.back()) {
      chosen.push_back(nearest);
    }
  }
  return chosen;
}

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

StepTimeTable measure_step_times(const Plan& plan, std::span<const Contender> contenders,
                                 const std::atomic<bool>* stop, const Executor& executor) {
  std::vector<std::pair<const Contender*, double>> runs;
  for (const auto& contender : contenders) {
    for (const double macro_step_s : contender.macro_steps_s) {
      runs.emplace_back(&contender, macro_step_s);
    }
  }
  StepTimeTable table;
  const Contender* failed = nullptr;  // what fails at one H may hang at the next
  executor.for_each_index(runs.size(), 1, [&](std::size_t i) {
    const auto& [contender, macro_step_s] = runs[i];
    if (is_stopped(stop) || contender == failed) {
      return;
    }
    auto timed = executor.time_macro_steps(
        plan, {.configuration = &plan.configurations[contender->configuration],
               .test = &plan.job.tests[contender->test],
               .macro_step_s = macro_step_s,
               .stop = stop});
    if (timed.macro_steps > 0 && !is_stopped(stop)) {
      table.rows.push_back({.configuration = contender->configuration,
                            .macro_step_s = macro_step_s,
                            .macro_steps = timed.macro_steps,
                            .times = timed.times});
      return;
    }
    failed = contender;
    if (table.failure.empty()) {
      table.failure = std::move(timed.reason);
    }
  });
  return table;
}

}  // namespace macrostep::engine
