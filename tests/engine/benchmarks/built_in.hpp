// Trials of built-in problems for tests.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::tests {

/// The default job with some parameters set.
inline engine::Plan built_in(const std::string& name,
                             const std::map<std::string, double>& parameters = {}) {
  auto job = engine::find_built_in(name)->default_job;
  job.parameters = parameters;
  auto made = engine::make_plan(job);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&made)) {
    for (const auto& [pointer, message] : *errors) {
      MESSAGE(pointer << ": " << message);
    }
  }
  return std::get<engine::Plan>(std::move(made));
}

/// The first of everything that the default job tries, with another coupling.
inline engine::Configuration first_with(const engine::Plan& plan, const std::string& coupling) {
  auto configuration = plan.configurations.front();
  configuration.coupling = coupling;
  return configuration;
}

/// The plan with this configuration alone.
inline engine::Plan with_only(engine::Plan plan, const engine::Configuration& configuration) {
  plan.configurations = {configuration};
  plan.schedules = engine::schedules_of(plan);
  return plan;
}

inline void set_integrator(engine::Configuration& configuration, models::Integrator integrator,
                           const std::vector<std::string>& groups) {
  for (const auto& group : groups) {
    configuration.integrators[group] = integrator;
  }
}

struct Motion {
  engine::TrialResult result;
  std::map<std::string, std::vector<double>> outputs;  ///< at the communication points
  std::vector<double> residual_powers_w;
};

inline Motion run(const engine::Plan& plan, const engine::Configuration& configuration,
                  const engine::TestInput& test, double macro_step_s) {
  Motion motion;
  const auto names = engine::output_names(plan.coupling(configuration));
  motion.result =
      engine::run_trial(plan, {.configuration = &configuration,
                               .test = &test,
                               .macro_step_s = macro_step_s,
                               .until_s = std::nullopt,
                               .trace =
                                   [&](const engine::TracePoint& point) {
                                     for (std::size_t i = 0; i < names.size(); ++i) {
                                       motion.outputs[names[i]].push_back(point.outputs[i]);
                                     }
                                     motion.residual_powers_w.push_back(point.residual_power_w);
                                   },
                               .step_times = nullptr});
  return motion;
}

inline engine::TestInput free_motion(double duration_s) {
  return {.name = "none", .kind = engine::TestKind::none, .duration_s = duration_s};
}

inline const engine::TestInput& test_of(const engine::Plan& plan, std::string_view name) {
  for (const auto& test : plan.job.tests) {
    if (test.name == name) {
      return test;
    }
  }
  FAIL("no test '" << name << "'");
  return plan.job.tests.front();
}

/// d log E / d log H between two macro-steps.
inline double residual_slope(const engine::Plan& plan, const engine::Configuration& configuration,
                             const engine::TestInput& test, double smaller_s, double larger_s) {
  const auto energy_j = [&](double macro_step_s) {
    return run(plan, configuration, test, macro_step_s).result.residual_j;
  };
  return std::log(energy_j(larger_s) / energy_j(smaller_s)) / std::log(larger_s / smaller_s);
}

}  // namespace macrostep::tests
