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

class LocalRun {
 public:
  LocalRun(const Plan& plan, const SearchSettings& settings)
      : plan_(plan), settings_(settings), search_(plan, settings.options), progress_(plan) {
    for (const auto& stored : settings.stored) {
      progress_.add(stored);
      search_.add(stored);
    }
    progress_.begin();
  }

  SearchResult run() {
    count_finished();
    for (auto wanted = search_.wanted(); !wanted.is_nothing(); wanted = search_.wanted()) {
      if (progress_.begin(wanted.stage) && settings_.on_stage) {
        settings_.on_stage(progress_.now());
      }
      if (wanted.tasks.empty()) {
        scan_curves(
            plan_, runs_, curves_of(wanted.trials), expected_costs_,
            [this](std::size_t curve) { return search_.next(curve); },
            [this](const TrialRecord& record) { add(record); });
      } else {
        perform(wanted.tasks);
      }
      if (stopped()) {
        search_.stop();
      }
    }
    auto result = search_.result();
    result.cost.wall_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    return result;
  }

 private:
  bool stopped() const { return settings_.stop && settings_.stop->load(std::memory_order_relaxed); }

  /// By what is stored.
  void count_finished() {
    for (std::size_t curve = 0; curve < plan_.curves.size(); ++curve) {
      note_finished(curve);
    }
  }

  void note_finished(std::size_t curve) {
    if (!search_.next(curve)) {
      progress_.finish(curve);
    }
  }

  void add(const TrialRecord& record) {
    search_.add(record);
    const std::lock_guard lock(mutex_);
    progress_.add(record);
    note_finished(record.curve);
    if (settings_.on_result) {
      settings_.on_result(record, progress_.now());
    }
  }

  void perform(const std::vector<Task>& tasks) {
    auto results = engine::perform(plan_, tasks, runs_);
    if (stopped()) {
      return;
    }
    for (std::size_t task = 0; task < results.size(); ++task) {
      search_.add(task, std::move(results[task]));
    }
  }

  const Plan& plan_;
  const SearchSettings& settings_;
  const RunsOnThreads runs_{*settings_.backend, settings_.threads, settings_.stop};
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const std::vector<double> expected_costs_ = expected_costs(plan_);  ///< by curve
  Search search_;
  std::mutex mutex_;  ///< guards what follows, and the calls of on_result, while threads run
  ProgressCount progress_;
};

}  // namespace

SearchResult run_search(const Plan& plan, const SearchSettings& settings) {
  return LocalRun(plan, settings).run();
}

}  // namespace macrostep::engine
