#include "engine/scan/scan_round.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/scan/step_counts.hpp"
#include "engine/trial/work.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

namespace {

/// Enough to keep all lanes busy.
constexpr std::size_t fewest_trials = 16;
/// What trials share is looked for among all of a round.
constexpr std::size_t most_trials = 512;
/// TrialResult::cost of about a second, one trial after the other, and what a macro-step costs
/// besides its right-hand sides.
constexpr double most_cost = 2e8;
constexpr double cost_per_macro_step = 20;

double expected_cost(const Plan& plan, const WantedTrial& trial) {
  const auto key = plan.curves[trial.curve];
  const auto& configuration = plan.configurations[key.configuration];
  const auto& test = plan.job.tests[key.test];
  const StepCounts counts(plan, configuration, test);
  const auto work = usual_work(plan, configuration, test, counts.of_trial(trial.macro_step_s));
  return work.cost + cost_per_macro_step * work.macro_steps;
}

}  // namespace

std::vector<std::size_t> choose_round(const Plan& plan, std::span<const WantedTrial> wanted) {
  models::ensure(!wanted.empty(), "a round has trials");
  std::map<double, std::vector<std::size_t>> by_step;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    by_step[wanted[i].macro_step_s].push_back(i);
  }
  auto& [macro_step_s, chosen] = *std::ranges::max_element(
      by_step, {}, [](const auto& of_step) { return of_step.second.size(); });
  if (chosen.size() > fewest_trials) {
    std::size_t count = 0;
    double cost = 0;
    while (count < std::min(chosen.size(), most_trials) &&
           (count < fewest_trials || cost < most_cost)) {
      cost += expected_cost(plan, wanted[chosen[count++]]);
    }
    chosen.resize(count);
  }
  return std::move(chosen);
}

void scan_together(const Plan& plan, const RunsOnThreads& runs, std::span<const std::size_t> curves,
                   const NextTrial& next, const TakeTrial& take) {
  const auto stopped = [&] { return runs.stop && runs.stop->load(std::memory_order_relaxed); };
  while (!stopped()) {
    std::vector<WantedTrial> wanted;
    for (const std::size_t curve : curves) {
      if (const auto trial = next(curve)) {
        wanted.push_back(*trial);
      }
    }
    if (wanted.empty()) {
      return;
    }
    const auto chosen = choose_round(plan, wanted);
    std::vector<TrialSpec> trials;
    for (const std::size_t i : chosen) {
      const auto key = plan.curves[wanted[i].curve];
      trials.push_back({.configuration = key.configuration,
                        .input = key.test,
                        .macro_step_s = wanted[i].macro_step_s});
    }
    auto results = runs.backend.trials(plan, trials, {.stop = runs.stop});
    for (std::size_t n = 0; n < chosen.size(); ++n) {
      const auto& [curve, index, macro_step_s] = wanted[chosen[n]];
      auto& result = results[n];
      const bool is_cancelled = result.status == TrialStatus::cancelled;
      models::ensure(!is_cancelled || stopped(), "trials are cancelled by the stop flag alone");
      if (!is_cancelled) {
        take({.curve = curve,
              .index = index,
              .macro_step_s = macro_step_s,
              .result = std::move(result)});
      }
    }
  }
}

}  // namespace macrostep::engine
