#include "engine/search/run_search.hpp"

#include <chrono>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/cost/cost_estimate.hpp"
#include "engine/scan/scan_round.hpp"

namespace macrostep::engine {

namespace {

std::vector<std::size_t> curves_of(const std::vector<WantedTrial>& trials) {
  std::vector<std::size_t> curves;
  for (const auto& trial : trials) {
    curves.push_back(trial.curve);
  }
  return curves;
}

}  // namespace

SearchResult run_search(const Plan& plan, const SearchSettings& settings) {
  const auto started = std::chrono::steady_clock::now();
  const auto expected = expected_costs(plan);  // by curve
  const RunsOnThreads runs{*settings.backend, settings.threads, settings.stop};
  Search search(plan, settings.options);
  std::mutex mutex;  // guards the progress, and the calls of on_result, while threads run
  ProgressCount progress(plan);

  const auto next = [&](std::size_t curve) { return search.scan().next(curve); };
  const auto note_finished = [&](std::size_t curve) {
    if (!search.scan().next(curve)) {
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
