// What benchmarks and the agreement test share: the same trial for the engine and for the
// hand-written loop, and timing the two against each other.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/plan/plan.hpp"
#include "engine/trial/trial.hpp"
#include "tests/bench/bare/trial.hpp"

namespace macrostep::bench {

/// The built-in search of the crane with so many actuators.
inline engine::Plan default_plan(int actuators) {
  const auto* problem =
      engine::find_built_in(actuators == 1 ? "single_actuator_crane" : "double_actuator_crane");
  return std::get<engine::Plan>(engine::make_plan(problem->default_job));
}

inline BareSettings bare_settings(const engine::Plan& plan, const engine::TestInput& test,
                                  double macro_step_s) {
  return {.u_ref = engine::signal(test, plan.problem.external_inputs.front()),
          .duration_s = test.duration_s,
          .macro_step_s = macro_step_s,
          .micro_step_s = *plan.problem.subsystems().back().micro_step_s};
}

/// The engine's result and the lengths of the actuators at its end.
inline std::pair<engine::TrialResult, std::vector<double>> engine_trial(
    const engine::Plan& plan, const engine::Configuration& configuration,
    const engine::TestInput& test, double macro_step_s) {
  std::vector<std::size_t> length_outputs;
  const auto names = engine::output_names(plan.coupling(configuration));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].starts_with("mechanics.s") && names[i].find("dot") == std::string::npos) {
      length_outputs.push_back(i);
    }
  }
  std::vector<double> lengths_m(length_outputs.size());
  auto result = engine::run_trial(plan, {.configuration = &configuration,
                                         .test = &test,
                                         .macro_step_s = macro_step_s,
                                         .trace = [&](const engine::TracePoint& point) {
                                           for (std::size_t i = 0; i < length_outputs.size(); ++i) {
                                             lengths_m[i] = point.outputs[length_outputs[i]];
                                           }
                                         }});
  return {std::move(result), std::move(lengths_m)};
}

}  // namespace macrostep::bench
