#include "engine/search.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "engine/cost_estimate.hpp"
#include "engine/remaining_cost.hpp"
#include "engine/step_times.hpp"
#include "engine/true_error.hpp"
#include "engine/warnings.hpp"

namespace macrostep::engine {

namespace {

/// Before that, the rate says little.
constexpr double eta_after_s = 1;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

RemainingCost remaining_cost(const Plan& plan) {
  std::vector<double> expected;
  for (const auto& curve : estimate_curves(plan)) {
    expected.push_back(curve.expected.cost);
  }
  return RemainingCost(std::move(expected));
}

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
  RemainingCost remaining = remaining_cost(plan);
  // Guards result.cost, finished, progress, the costs and the calls of on_result.
  std::mutex mutex;

  const auto stopped = [&] {
    return settings.stop && settings.stop->load(std::memory_order_relaxed);
  };
  const auto count = [&](std::size_t curve, const TrialResult& trial) {
    ++progress.trials_done;
    ++result.cost.trials;
    result.cost.rhs_evaluations += trial.rhs_evaluations;
    remaining.add(curve, trial.cost);
  };
  // All at once: what a run took up before is not progress of this one.
  for (const auto& stored : settings.stored) {
    count(stored.curve, stored.result);
  }
  const double stored_cost = remaining.done();
  const auto look_ahead = [&] {
    progress.cost_done = remaining.done();
    progress.cost_expected = remaining.done() + remaining.left();
    const double ran_s = seconds_since(started);
    const double ran_cost = remaining.done() - stored_cost;
    if (ran_s >= eta_after_s && ran_cost > 0) {
      progress.eta_s = remaining.left() * ran_s / ran_cost;
    }
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
      count(id, record.result);
      if (settings.on_result) {
        look_ahead();
        settings.on_result(record, progress);
      }
    }
    auto curve = finish_curve(plan, id, scan);
    const std::lock_guard lock(mutex);
    finished.push_back(std::move(curve));
    ++progress.curves_done;
    remaining.finish(id);
  };

  const auto order = longest_first(plan);
  settings.executor.for_each_index(order.size(), settings.threads, [&](std::size_t i) {
    if (!stopped()) {
      scan_curve(order[i]);
    }
  });
  result.complete = finished.size() == plan.curves.size();
  result.analysis = recommend(plan, std::move(finished));
  if (result.complete && (settings.measure_step_times || plan.job.real_time_share)) {
    result.analysis.step_times =
        measure_step_times(plan, result.analysis.contenders, settings.stop, settings.executor);
    result.complete = !stopped();
  }
  keep_real_time(plan, result.analysis, !result.complete);
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
  result.cost.wall_s = seconds_since(started);
  return result;
}

}  // namespace macrostep::engine
