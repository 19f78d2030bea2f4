// The linear oscillator coupled by force and displacement: of the FMUs of tests/fmus, of matrices,
// or as it is built in.
//
//   m1: m a = −k x − c v − f,  f = k_c (x − x_in) + c_c (v − v_in)     m2: m a = f − k x − c v
//
// with m = 1 kg, k = 10 and 1000 N/m, k_c = 100 N/m, c = c_c = 0, from x = 0 with v = ±100 m/s.
#pragma once

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <string>
#include <utility>
#include <variant>

#include "engine/plan/plan.hpp"
#include "engine/problem/own_problem.hpp"
#include "tests/engine/benchmarks/built_in.hpp"
#include "tests/fmi/test_fmus.hpp"
#include "tests/plan_of.hpp"

namespace macrostep::tests {

/// H, and the micro-step where there is one.
inline constexpr double macro_step_s = 1e-3;
inline constexpr double micro_step_s = 2.5e-4;
inline constexpr double duration_s = 0.5;

inline engine::OwnSubsystem fmu_subsystem(const std::string& name, const std::string& fmu) {
  return {.name = name, .state_space = {}, .fmu = engine::OwnFmu{test_fmu(fmu), {}}};
}

inline engine::OwnProblem oscillator_of(engine::OwnSubsystem m1, engine::OwnSubsystem m2) {
  engine::OwnProblem own;
  own.subsystems = {std::move(m1), std::move(m2)};
  own.connections = {{.from = {"m2", "x"}, .to = {"m1", "x_in"}},
                     {.from = {"m2", "v"}, .to = {"m1", "v_in"}},
                     {.from = {"m1", "f"}, .to = {"m2", "f"}}};
  own.power_bonds = {{.effort = {{"m1", "f"}}, .flow = {{"m2", "v"}}, .factor = {}}};
  return own;
}

inline engine::OwnProblem oscillator_of(const std::string& version, const std::string& kind = "") {
  return oscillator_of(fmu_subsystem("m1", "spring_mass" + kind + version),
                       fmu_subsystem("m2", "mass" + kind + version));
}

inline engine::OwnSubsystem spring_mass_of_matrices() {
  models::StateSpace model;
  model.a = Eigen::Matrix2d{{0, 1}, {-110, 0}};
  model.b = Eigen::Matrix2d{{0, 0}, {100, 0}};
  model.c = Eigen::Matrix<double, 3, 2>{{1, 0}, {0, 1}, {100, 0}};
  model.d = Eigen::Matrix<double, 3, 2>{{0, 0}, {0, 0}, {-100, 0}};
  model.x0 = Eigen::Vector2d(0, 100);
  model.inputs = {{"x_in", "m"}, {"v_in", "m/s"}};
  model.outputs = {{"x", "m"}, {"v", "m/s"}, {"f", "N"}};
  return {.name = "m1", .state_space = model, .fmu = {}};
}

/// `driven`: by a force w from outside.
inline engine::OwnSubsystem mass_of_matrices(bool driven = false) {
  models::StateSpace model;
  model.a = Eigen::Matrix2d{{0, 1}, {-1000, 0}};
  model.b = Eigen::Vector2d(0, 1);
  model.c = Eigen::Matrix2d{{1, 0}, {0, 1}};
  model.d = Eigen::Vector2d(0, 0);
  model.x0 = Eigen::Vector2d(0, -100);
  model.inputs = {{"f", "N"}};
  model.outputs = {{"x", "m"}, {"v", "m/s"}};
  if (driven) {
    model.b = Eigen::Matrix2d{{0, 0}, {1, 1}};
    model.d = Eigen::Matrix2d::Zero();
    model.inputs.push_back({"w", "N"});
  }
  return {.name = "m2", .state_space = model, .fmu = {}};
}

inline engine::Job job_of(engine::OwnProblem own,
                          models::Integrator integrator = models::Integrator::fmu) {
  engine::Job job;
  job.name = "test";
  job.space.couplings = {engine::own_coupling};
  job.space.schemes = {engine::Scheme::jacobi};
  job.space.extrapolation = {engine::Extrapolation::order_0};
  job.space.corrections = {engine::Correction::none};
  for (const auto& subsystem : own.subsystems) {
    job.space.integrators[subsystem.name] = {integrator};
  }
  job.own_problem = std::move(own);
  job.macro_step = {.initial_s = macro_step_s, .increment_s = macro_step_s, .maximum_s = 2e-2};
  job.tests = {free_motion(duration_s)};
  return job;
}

/// The built-in problem with the parameters of the FMUs.
inline engine::Plan native_oscillator(models::Integrator integrator, bool micro_steps) {
  auto plan = built_in("linear_oscillator");
  auto configuration = first_with(plan, "force_displacement");
  set_integrator(configuration, integrator, {"m1", "m2"});
  plan = with_only(std::move(plan), configuration);
  plan.job.micro_steps.clear();
  if (micro_steps) {
    plan.job.micro_steps = {{"m1", micro_step_s}, {"m2", micro_step_s}};
  }
  plan.schedules = engine::schedules_of(plan);
  return plan;
}

}  // namespace macrostep::tests
