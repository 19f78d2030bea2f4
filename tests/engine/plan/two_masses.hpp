// A problem of the user's own for tests.
#pragma once

#include <Eigen/Core>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::tests {

/// Two masses of the energy-leak literature, coupled by a spring that the first one owns.
inline engine::Job two_masses() {
  using namespace engine;
  using macrostep::models::StateSpace;
  StateSpace first;  // k = 10 N/m, coupling spring 100 N/m to the position x of the other
  first.a = Eigen::Matrix2d{{0, 1}, {-110, 0}};
  first.b = Eigen::Matrix2d{{0, 0}, {100, 1}};
  first.c = Eigen::MatrixXd{{100, 0}};
  first.d = Eigen::MatrixXd{{-100, 0}};
  first.x0 = Eigen::Vector2d{0, 1};
  first.inputs = {{"x", "m"}, {"w", "N"}};
  first.outputs = {{"f", "N"}};
  first.d.conservativeResize(1, 3);
  first.b.conservativeResize(2, 3);
  first.d(0, 2) = 0;
  first.b.col(2).setZero();
  first.inputs.push_back({"v", "m/s"});
  StateSpace second;  // k = 1000 N/m
  second.a = Eigen::Matrix2d{{0, 1}, {-1000, 0}};
  second.b = Eigen::Vector2d{0, 1};
  second.c = Eigen::Matrix2d::Identity();
  second.d = Eigen::Vector2d::Zero();
  second.x0 = Eigen::Vector2d{0, -1};
  second.inputs = {{"f", "N"}};
  second.outputs = {{"x", "m"}, {"v", "m/s"}};

  Job job = find_built_in("double_actuator_crane")->default_job;
  job.problem.clear();
  job.own_problem =
      OwnProblem{.subsystems = {{"m1", first}, {"m2", second}},
                 .connections = {{{"m2", "x"}, {"m1", "x"}},
                                 {{"m2", "v"}, {"m1", "v"}},
                                 {{"m1", "f"}, {"m2", "f"}}},
                 .power_bonds = {{.effort = {{"m1", "f"}}, .flow = {{"m2", "v"}}}},
                 .external_inputs = {{.to = {"m1", "w"}, .minimum = -1, .maximum = 1}}};
  job.space.couplings = {own_coupling};
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_1};
  job.space.integrators = {{"m1", {macrostep::models::Integrator::trapezoidal}},
                           {"m2", {macrostep::models::Integrator::trapezoidal}}};
  job.tests.resize(1);
  return job;
}

/// Two light damped oscillators of 1000 and 1300 rad/s, each held by the other's displacement. They
/// excite each other where their turns within a macro-step add up to a full one.
inline engine::Job two_resonators(double coupling_per_s2) {
  using namespace engine;
  Job job = two_masses();
  auto& first = job.own_problem->subsystems[0].state_space;
  first.a = Eigen::Matrix2d{{0, 1}, {-1e6, -3}};
  first.b(1, 0) = coupling_per_s2;
  first.c(0, 0) = coupling_per_s2;
  first.d.setZero();
  auto& second = job.own_problem->subsystems[1].state_space;
  second.a = Eigen::Matrix2d{{0, 1}, {-1.69e6, -3.9}};
  job.space.extrapolation = {Extrapolation::order_0};
  job.space.integrators = {{"m1", {macrostep::models::Integrator::exact}},
                           {"m2", {macrostep::models::Integrator::exact}}};
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 2}};
  return job;
}

/// Verified by runs: m 1 kg on 10 and 20 N/m, a spring of 50 N/m between them, dampers of 0.01 N
/// s/m; orders 0 to 3.
inline engine::Job slow_decay() {
  using namespace engine;
  Job job = two_masses();
  auto& first = job.own_problem->subsystems[0].state_space;
  first.a = Eigen::Matrix2d{{0, 1}, {-60, -0.01}};
  first.b = Eigen::MatrixXd{{0, 0, 0}, {50, 1, 0}};
  first.c = Eigen::MatrixXd{{50, 0}};
  first.d = Eigen::MatrixXd{{-50, 0, 0}};
  first.x0.setZero();
  auto& second = job.own_problem->subsystems[1].state_space;
  second.a = Eigen::Matrix2d{{0, 1}, {-20, -0.01}};
  second.x0.setZero();
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_1, Extrapolation::order_2,
                             Extrapolation::order_3};
  job.space.integrators = {{"m1", {macrostep::models::Integrator::exact}},
                           {"m2", {macrostep::models::Integrator::exact}}};
  job.macro_step = {.initial_s = 1e-3, .increment_s = 1e-3, .maximum_s = 0.3};
  job.stability_check = StabilityCheck::identified;
  job.tests.front() = {.name = "step", .kind = TestKind::step, .duration_s = 1};
  return job;
}

}  // namespace macrostep::tests
