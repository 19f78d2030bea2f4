#include "engine/trial/event_phases.hpp"

#include <algorithm>
#include <cmath>

#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

std::vector<double> event_delays_s(const TestInput& test, double macro_step_s, int phases) {
  const auto event_s = first_event_s(test);
  if (!event_s || phases <= 1) {
    return {0};
  }
  const double macro_steps = *event_s / macro_step_s;
  const double phase = macro_steps - std::floor(macro_steps);
  std::vector<double> delays;
  for (int k = 0; k < phases; ++k) {
    const double later = (2 * k + 1) / (2.0 * phases) - phase;
    delays.push_back((later < 0 ? later + 1 : later) * macro_step_s);
  }
  return delays;
}

std::size_t runs_of_trial(const Plan& plan, std::size_t test) {
  return first_event_s(plan.job.tests[test]) ? static_cast<std::size_t>(plan.job.event_phases) : 1;
}

std::vector<TrialSpec> at_every_phase(const Plan& plan, const TrialSpec& trial) {
  if (trial.input >= plan.job.tests.size() || trial.variant != 0) {
    return {trial};
  }
  std::vector<TrialSpec> runs;
  for (const double delay_s :
       event_delays_s(plan.job.tests[trial.input], trial.macro_step_s, plan.job.event_phases)) {
    runs.push_back(trial);
    runs.back().delay_s = delay_s;
  }
  return runs;
}

TrialResult worst_of_phases(std::span<const TrialSpec> runs, std::span<const TrialResult> results) {
  models::ensure(!runs.empty() && runs.size() == results.size(), "every run has a result");
  std::size_t worst = 0;
  for (std::size_t i = 1; i < results.size(); ++i) {
    if (results[worst].status != TrialStatus::complete) {
      break;
    }
    if (results[i].status != TrialStatus::complete ||
        results[i].residual_j > results[worst].residual_j) {
      worst = i;
    }
  }
  auto told = results[worst];
  told.event_delay_s = runs[worst].delay_s;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i != worst) {
      told.rhs_evaluations += results[i].rhs_evaluations;
      told.shared_evaluations += results[i].shared_evaluations;
      told.cost += results[i].cost;
      told.wall_s += results[i].wall_s;
    }
  }
  return told;
}

}  // namespace macrostep::engine
