#include "engine/cost/cost_estimate.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "engine/cosim/residual.hpp"
#include "engine/ensemble/sharing.hpp"
#include "engine/plan/plan_fmus.hpp"
#include "engine/scan/curve_groups.hpp"
#include "engine/scan/step_counts.hpp"
#include "engine/trial/event_phases.hpp"

namespace macrostep::engine {

namespace {

/// The steps of curves that step alike.
struct CurveSteps {
  Steps expected;
  Steps most;
};

int threads_of(const EstimateSettings& settings) {
  return settings.threads > 0 ? settings.threads
                              : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

/// The work of trials of so many runs each; `work` is that of one run each.
Work work_of_runs(const Work& work, double runs) {
  auto all = work * runs;
  all.trials = work.trials;
  return all;
}

double seconds_of(const Work& work, const TrialSpeed& speed) {
  return work.cost * speed.seconds_per_cost + work.macro_steps * speed.seconds_per_macro_step;
}

}  // namespace

double expected_seconds(const CurveEstimate& curve, const TrialSpeed& speed, double together) {
  const double alone_s = seconds_of(curve.expected, speed);
  return curve.in_lanes ? alone_s / std::clamp(together, 1.0, speed.gain_in_lanes) : alone_s;
}

std::vector<CurveEstimate> estimate_curves(const Plan& plan) {
  // Thousands of configurations differ in their integrators alone, and step alike.
  using Key = std::tuple<std::string, std::int64_t, std::size_t>;
  std::map<Key, CurveSteps> known;
  std::vector<bool> can_run, in_lanes;
  for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
    can_run.push_back(plan.can_run(c));
    in_lanes.push_back(can_run.back() && steps_in_lanes(plan, plan.configurations[c]));
  }
  std::vector<CurveEstimate> curves;
  curves.reserve(plan.curves.size());
  for (const auto key : plan.curves) {
    if (!can_run[key.configuration]) {  // one trial says why
      curves.push_back({.expected = {.trials = 1}, .most = {.trials = 1}});
      continue;
    }
    const auto& configuration = plan.configurations[key.configuration];
    const auto& test = plan.job.tests[key.test];
    const Key alike{configuration.coupling, first_counted_macro_step(configuration.extrapolation),
                    key.test};
    auto found = known.find(alike);
    if (found == known.end()) {
      const StepCounts counts(plan, configuration, test);
      found = known.emplace(alike, CurveSteps{counts.expected(), counts.most()}).first;
    }
    const auto runs = static_cast<double>(runs_of_trial(plan, key.test));
    const auto& [expected, most] = found->second;
    curves.push_back(
        {.expected = work_of_runs(usual_work(plan, configuration, test, expected), runs),
         .most = work_of_runs(most_work(plan, configuration, test, most), runs),
         .evaluations_bounded = is_bounded(plan, configuration),
         .runs = runs,
         .in_lanes = in_lanes[key.configuration]});
  }
  return curves;
}

std::vector<double> expected_costs(const Plan& plan) {
  std::vector<double> costs;
  for (const auto& curve : estimate_curves(plan)) {
    costs.push_back(curve.expected.cost);
  }
  return costs;
}

CostEstimate estimate_cost(const Plan& plan, const EstimateSettings& settings) {
  const auto curves = estimate_curves(plan);
  CostEstimate estimate;
  estimate.threads = threads_of(settings);
  const auto together = static_cast<double>(most_in_group(curves.size(), estimate.threads));
  bool bounded = true;
  // Curves are not divided among threads: the last one may run alone.
  double longest_s = 0;
  double longest_expected_s = 0;
  double all_expected_s = 0;
  double most_runs = 0;  // of one curve
  double all_runs = 0;
  for (const auto& curve : curves) {
    estimate.expected += curve.expected;
    estimate.most += curve.most;
    bounded &= curve.evaluations_bounded;
    longest_s = std::max(longest_s, seconds_of(curve.most, settings.speed));
    longest_expected_s = std::max(longest_expected_s, seconds_of(curve.expected, settings.speed));
    all_expected_s += expected_seconds(curve, settings.speed, together);
    most_runs = std::max(most_runs, curve.runs * curve.most.trials);
    all_runs += curve.runs * curve.most.trials;
  }
  const double threads = estimate.threads;
  if (has_foreign_code(plan)) {
    estimate.seconds_max = settings.trial_timeout_s * (all_runs / threads + most_runs);
    return estimate;
  }
  estimate.rhs_evaluations_expected = estimate.expected.rhs_evaluations;
  estimate.seconds_expected = std::max(all_expected_s / threads, longest_expected_s);
  if (bounded) {
    estimate.rhs_evaluations_max = estimate.most.rhs_evaluations;
    estimate.seconds_max = seconds_of(estimate.most, settings.speed) / threads + longest_s;
  }
  return estimate;
}

ExpectedCost expected_cost(const Plan& plan, const Work& work, const EstimateSettings& settings) {
  ExpectedCost expected{.work = work, .seconds = std::nullopt};
  if (!has_foreign_code(plan)) {
    expected.seconds = seconds_of(work, settings.speed) / threads_of(settings);
  }
  return expected;
}

ExpectedCost expected_cost(const CostEstimate& estimate) {
  return {.work = estimate.expected, .seconds = estimate.seconds_expected};
}

}  // namespace macrostep::engine
