#include "engine/cost/step_times.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace macrostep::engine {

namespace {

bool is_stopped(const std::atomic<bool>* stop) {
  return stop && stop->load(std::memory_order_relaxed);
}

}  // namespace

RealTimeMargin margin_of(const MeasuredStepTimes& measured, double share) {
  return {
      .share = share, .limit_s = share * measured.macro_step_s, .p999_s = measured.times.p999_s};
}

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

StepTimeTable measure_step_times(const Plan& plan, const TimingCandidate& candidate,
                                 const std::atomic<bool>* stop, const TrialBackend& backend) {
  StepTimeTable table;
  bool failed = false;
  backend.for_each_index(candidate.macro_steps_s.size(), 1, [&](std::size_t i) {
    if (failed || is_stopped(stop)) {
      return;
    }
    const double macro_step_s = candidate.macro_steps_s[i];
    auto timed = backend.measure(plan,
                                 TimeMacroSteps{.run = {.configuration = candidate.configuration,
                                                        .input = candidate.test,
                                                        .macro_step_s = macro_step_s}},
                                 {.stop = stop});
    failed = timed.macro_steps == 0 || is_stopped(stop);
    if (failed) {
      table.failure = std::move(timed.reason);
    } else {
      table.rows.push_back({.configuration = candidate.configuration,
                            .macro_step_s = macro_step_s,
                            .macro_steps = timed.macro_steps,
                            .times = timed.times});
    }
  });
  return table;
}

}  // namespace macrostep::engine
