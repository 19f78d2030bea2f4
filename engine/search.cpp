#include "engine/search.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "engine/true_error.hpp"
#include "engine/warnings.hpp"

namespace macrostep::engine {

namespace {

/// Curves in the order they should start: the longest tests first, so that none is left alone at
/// the end.
std::vector<std::size_t> longest_first(const Plan& plan) {
  std::vector<std::size_t> order(plan.curves.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t curve) {
    return plan.job.tests[plan.curves[curve].test].duration_s;
  });
  return order;
}

}  // namespace

SearchResult run_search(const Plan& plan, const SearchSettings& settings) {
  const auto started = std::chrono::steady_clock::now();
  SearchResult result;
  std::vector<Curve> finished;
  SearchProgress progress{.curves_total = plan.curves.size()};
  std::mutex mutex;  // guards result.cost, finished, progress and the calls of on_result

  const auto stopped = [&] {
    return settings.stop && settings.stop->load(std::memory_order_relaxed);
  };
  const auto count = [&](const TrialResult& trial) {
    ++progress.trials_done;
    ++result.cost.trials;
    result.cost.rhs_evaluations += trial.rhs_evaluations;
  };
  const auto scan_curve = [&](std::size_t id) {
    const auto key = plan.curves[id];
    CurveScan scan(plan, id);
    std::size_t index = 0;
    auto stored = std::ranges::lower_bound(settings.stored, id, {}, &TrialRecord::curve);
    for (; stored != settings.stored.end() && stored->curve == id; ++stored) {
      if (scan.next() != stored->macro_step_s) {
        break;
      }
      scan.add(stored->result);
      ++index;
      const std::lock_guard lock(mutex);
      count(stored->result);
    }
    for (auto macro_step_s = scan.next(); macro_step_s; macro_step_s = scan.next()) {
      TrialRecord record{.curve = id, .index = index++, .macro_step_s = *macro_step_s};
      record.result = settings.executor.run_trial(
          plan, {.configuration = &plan.configurations[key.configuration],
                 .test = &plan.job.tests[key.test],
                 .macro_step_s = *macro_step_s,
                 .stop = settings.stop});
      if (record.result.status == TrialStatus::cancelled || stopped()) {
        return;
      }
      scan.add(record.result);
      const std::lock_guard lock(mutex);
      count(record.result);
      if (settings.on_result) {
        settings.on_result(record, progress);
      }
    }
    auto curve = finish_curve(plan, id, scan);
    const std::lock_guard lock(mutex);
    finished.push_back(std::move(curve));
    ++progress.curves_done;
  };

  const auto order = longest_first(plan);
  settings.executor.for_each_index(order.size(), settings.threads, [&](std::size_t i) {
    if (!stopped()) {
      scan_curve(order[i]);
    }
  });
  result.complete = finished.size() == plan.curves.size();
  result.analysis = recommend(plan, std::move(finished));
  if (auto& answer = result.analysis.recommendation; answer && settings.measure_error) {
    if (result.complete) {
      answer->error =
          measure_error(plan, plan.configurations[answer->configuration], answer->macro_step_s,
                        settings.threads, settings.stop, settings.executor);
      // Stopped in the middle of it, a run ends as if its solver had failed.
      result.complete = !stopped();
    }
    if (!result.complete) {
      answer->error = MeasuredError{.reason = "the search was stopped"};
    }
  }
  for (auto* answer : {&result.analysis.recommendation, &result.analysis.paper_rule}) {
    if (*answer) {
      const auto accuracy = accuracy_warning(plan, **answer);
      (*answer)->warnings.insert((*answer)->warnings.begin(), accuracy.begin(), accuracy.end());
    }
  }
  result.cost.wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

}  // namespace macrostep::engine
