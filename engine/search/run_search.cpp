#include "engine/search/run_search.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <utility>

#include "engine/cost/cost_estimate.hpp"
#include "engine/scan/curve_groups.hpp"
#include "engine/scan/step_counts.hpp"
#include "engine/trial/event_phases.hpp"
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
  const auto runs = static_cast<double>(runs_of_trial(plan, key.test));
  return runs * (work.cost + cost_per_macro_step * work.macro_steps);
}

/// What these curves want next that runs at once; empty where they want nothing.
std::vector<WantedTrial> next_round(const Plan& plan, std::span<const std::size_t> curves,
                                    const NextTrial& next) {
  std::vector<WantedTrial> wanted;
  for (const std::size_t curve : curves) {
    if (const auto trial = next(curve)) {
      wanted.push_back(*trial);
    }
  }
  std::vector<WantedTrial> round;
  if (!wanted.empty()) {
    for (const std::size_t i : choose_round(plan, wanted)) {
      round.push_back(wanted[i]);
    }
  }
  return round;
}

/// The results of the trials, each of runs at several phases, in their order.
std::vector<TrialResult> run_round(const Plan& plan, const RunsOnThreads& runs,
                                   std::span<const WantedTrial> round) {
  std::vector<TrialSpec> specs;
  for (const auto& trial : round) {
    const auto key = plan.curves[trial.curve];
    specs.push_back({.configuration = key.configuration,
                     .input = key.test,
                     .macro_step_s = trial.macro_step_s});
  }
  return runs.backend.at_every_phase(plan, specs, runs.stop);
}

std::vector<std::size_t> curves_of(const std::vector<WantedTrial>& trials) {
  std::vector<std::size_t> curves;
  for (const auto& trial : trials) {
    curves.push_back(trial.curve);
  }
  return curves;
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

void scan_curves(const Plan& plan, const RunsOnThreads& runs, std::span<const std::size_t> curves,
                 std::span<const double> expected_costs, const NextTrial& next,
                 const TakeTrial& take) {
  const auto stopped = [&] { return runs.stop && runs.stop->load(std::memory_order_relaxed); };
  const auto groups = curve_groups(plan, curves, expected_costs, runs);
  runs.backend.for_each_index(groups.size(), runs.threads, [&](std::size_t group) {
    for (auto round = next_round(plan, groups[group], next); !round.empty() && !stopped();
         round = next_round(plan, groups[group], next)) {
      auto results = run_round(plan, runs, round);
      for (std::size_t i = 0; i < round.size(); ++i) {
        auto& result = results[i];
        const bool is_cancelled = result.status == TrialStatus::cancelled;
        models::ensure(!is_cancelled || stopped(), "trials are cancelled by the stop flag alone");
        if (!is_cancelled) {
          take({.curve = round[i].curve,
                .index = round[i].index,
                .macro_step_s = round[i].macro_step_s,
                .result = std::move(result)});
        }
      }
    }
  });
}

SearchResult run_search(const Plan& plan, const SearchSettings& settings) {
  const auto started = std::chrono::steady_clock::now();
  const auto expected = expected_costs(plan);  // by curve
  const RunsOnThreads runs{*settings.backend, settings.threads, settings.stop};
  Search search(plan, settings.options);
  std::mutex mutex;  // guards the progress, and the calls of on_result, while threads run
  ProgressCount progress(plan);

  const auto next = [&](std::size_t curve) { return search.next(curve); };
  const auto note_finished = [&](std::size_t curve) {
    if (!search.next(curve)) {
      progress.finish(curve);
    }
  };
  const auto add = [&](const TrialRecord& record) {
    search.add(record);
    const std::lock_guard lock(mutex);
    progress.add(record);
    note_finished(record.curve);
    if (settings.on_result) {
      settings.on_result(record, progress.now());
    }
  };

  for (const auto& stored : settings.stored) {
    progress.add(stored);
    search.add(stored);
  }
  progress.begin();
  for (std::size_t curve = 0; curve < plan.curves.size(); ++curve) {
    note_finished(curve);  // by what is stored
  }
  for (auto wanted = search.wanted(); !wanted.is_nothing(); wanted = search.wanted()) {
    if (progress.begin(wanted.stage) && settings.on_stage) {
      settings.on_stage(progress.now());
    }
    if (wanted.tasks.empty()) {
      scan_curves(plan, runs, curves_of(wanted.trials), expected, next, add);
    } else {
      auto results = perform(plan, wanted.tasks, runs);
      for (std::size_t task = 0; task < results.size(); ++task) {
        search.add(task, std::move(results[task]));
      }
    }
    if (settings.stop && settings.stop->load(std::memory_order_relaxed)) {
      search.stop();  // without the results of a round that was cut short
    }
  }
  auto result = search.result();
  result.cost.wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

}  // namespace macrostep::engine
