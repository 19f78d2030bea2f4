#include "engine/cost/trial_speed.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/ensemble/sharing.hpp"
#include "engine/ensemble/trial_backend.hpp"
#include "models/lanes/lane_count.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

namespace {

/// The shortest of so many runs: what else the computer did meanwhile is in the others.
constexpr int runs = 3;
constexpr double timed_macro_steps = 20'000;
/// Hydraulics of many micro-steps in few macro-steps.
constexpr double busy_macro_step_s = 2e-3;
constexpr double busy_micro_step_s = 1e-5;
constexpr double busy_duration_s = 0.2;

TrialResult fastest(const Plan& plan, double macro_step_s, double until_s) {
  TrialResult result;
  for (int k = 0; k < runs; ++k) {
    const auto next = run_trial(plan, {.configuration = &plan.configurations.front(),
                                       .test = &plan.job.tests.front(),
                                       .macro_step_s = macro_step_s,
                                       .until_s = until_s});
    if (k == 0 || next.wall_s < result.wall_s) {
      result = next;
    }
  }
  return result;
}

Plan plan_of(Job job) {
  auto plan = make_plan(job);
  models::ensure(std::holds_alternative<Plan>(plan), "the default jobs are valid");
  return std::get<Plan>(std::move(plan));
}

/// As many trials as there are lanes, one of each configuration and test, of which none begins like
/// another one.
std::vector<TrialSettings> side_by_side(const Plan& plan) {
  std::vector<TrialSettings> trials;
  const auto& first = plan.configurations.front();
  for (const auto* test : {&plan.job.tests.front(), &plan.job.tests.back()}) {
    for (const auto& configuration : plan.configurations) {
      if (configuration.integrators == first.integrators && trials.size() < models::lane_count) {
        trials.push_back({.configuration = &configuration,
                          .test = test,
                          .macro_step_s = busy_macro_step_s,
                          .until_s = busy_duration_s});
      }
    }
  }
  return trials;
}

double gain_in_lanes(const Plan& plan, double seconds_per_cost) {
  if (!steps_in_lanes(plan, plan.configurations.front())) {
    return 1;
  }
  const auto trials = side_by_side(plan);
  double gain = 1;
  for (int k = 0; k < runs; ++k) {
    double cost = 0, wall_s = 0;
    for (const auto& result : run_trials(plan, trials)) {
      cost += result.cost;
      wall_s += result.wall_s;
    }
    gain = std::max(gain, wall_s > 0 ? cost * seconds_per_cost / wall_s : 1);
  }
  return gain;
}

}  // namespace

TrialSpeed measure_trial_speed() {
  auto job = find_built_in("single_actuator_crane")->default_job;
  job.micro_steps["hydraulics"] = busy_micro_step_s;
  const auto busy_plan = plan_of(job);
  const auto busy = fastest(busy_plan, busy_macro_step_s, busy_duration_s);
  TrialSpeed speed{.seconds_per_cost = busy.wall_s / std::max(1.0, busy.cost)};
  speed.gain_in_lanes = gain_in_lanes(busy_plan, speed.seconds_per_cost);
  // Two springs and masses: nothing but the master takes time.
  const auto light_plan = plan_of(find_built_in("linear_oscillator")->default_job);
  const double duration_s = light_plan.job.tests.front().duration_s;
  const auto light = fastest(light_plan, duration_s / timed_macro_steps, duration_s);
  const double master_s = light.wall_s - light.cost * speed.seconds_per_cost;
  speed.seconds_per_macro_step = std::max(0.0, master_s / static_cast<double>(light.macro_steps));
  return speed;
}

}  // namespace macrostep::engine
