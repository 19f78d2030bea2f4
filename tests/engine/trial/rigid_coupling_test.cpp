// Two masses tied together rigidly: their forces and accelerations depend on each other at once, an
// algebraic loop that only the iterative scheme solves.
#include <doctest/doctest.h>

#include <Eigen/Core>
#include <string>
#include <variant>

#include "engine/trial/trial.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;

namespace {

constexpr double m1_kg = 10, m2_kg = 2;

/// v̇ = a = (w − f)/m1 pushes and f = m2 a is dragged along: a = w/(m1 + m2).
Job rigid_masses(Scheme scheme) {
  macrostep::models::StateSpace pushed;  // inputs f, w; outputs a, v
  pushed.a = Eigen::MatrixXd::Zero(1, 1);
  pushed.b = Eigen::MatrixXd{{-1 / m1_kg, 1 / m1_kg}};
  pushed.c = Eigen::MatrixXd{{0}, {1}};
  pushed.d = Eigen::MatrixXd{{-1 / m1_kg, 1 / m1_kg}, {0, 0}};
  pushed.x0 = Eigen::VectorXd::Zero(1);
  pushed.inputs = {{"f", "N"}, {"w", "N"}};
  pushed.outputs = {{"a", "m/s^2"}, {"v", "m/s"}};
  macrostep::models::StateSpace dragged;  // inputs a, v; output f
  dragged.a = Eigen::MatrixXd::Zero(1, 1);
  dragged.b = Eigen::MatrixXd::Zero(1, 2);
  dragged.c = Eigen::MatrixXd::Zero(1, 1);
  dragged.d = Eigen::MatrixXd{{m2_kg, 0}};
  dragged.x0 = Eigen::VectorXd::Zero(1);
  dragged.inputs = {{"a", "m/s^2"}, {"v", "m/s"}};
  dragged.outputs = {{"f", "N"}};

  Job job = macrostep::tests::two_masses();
  job.own_problem =
      OwnProblem{.subsystems = {{"m1", pushed}, {"m2", dragged}},
                 .connections = {{{"m1", "a"}, {"m2", "a"}},
                                 {{"m1", "v"}, {"m2", "v"}},
                                 {{"m2", "f"}, {"m1", "f"}}},
                 .power_bonds = {{.effort = {{"m2", "f"}}, .flow = {{"m1", "v"}}}},
                 .external_inputs = {{.to = {"m1", "w"}, .minimum = -6, .maximum = 6}}};
  job.space.extrapolation = {Extrapolation::order_0};
  job.space.schemes = {scheme};
  return job;
}

FieldErrors refusal(const Job& job) {
  const auto plan = make_plan(job);
  const auto* errors = std::get_if<FieldErrors>(&plan);
  return errors ? *errors : FieldErrors{};
}

}  // namespace

TEST_CASE("a rigid coupling is refused where nothing solves it, with the loop and the ways out") {
  for (const auto scheme : {Scheme::jacobi, Scheme::gauss_seidel}) {
    const auto errors = refusal(rigid_masses(scheme));
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].pointer == "/search/schemes");
    const auto& message = errors[0].message;
    CAPTURE(message);
    CHECK(message.find("which " + std::string(to_string(scheme)) + " does not solve") !=
          std::string::npos);
    CHECK(message.find("scheme iterative") != std::string::npos);
    CHECK(message.find("spring and damper") != std::string::npos);
    // A loop of two has two names.
    CHECK((message.find("m1.a → m2.f → m1.a") != std::string::npos ||
           message.find("m2.f → m1.a → m2.f") != std::string::npos));
  }
}

TEST_CASE("the iterative scheme solves a rigid coupling") {
  // The loop's gain is m2/m1 = 0.2 and each repeat leaves that share of the error, down to the
  // tolerance of 1e-6 at most. Under a constant 6 N all but v is constant, so that H adds no error.
  auto plan = std::get<Plan>(make_plan(rigid_masses(Scheme::iterative)));
  plan.problem.external_inputs[0].initial = 6;
  const TestInput pushed{.name = "none", .kind = TestKind::none, .duration_s = 1};
  double v = 0;
  const auto result = run_trial(plan, {.configuration = &plan.configurations.front(),
                                       .test = &pushed,
                                       .macro_step_s = 0.01,
                                       .trace = [&](const TracePoint& p) { v = p.outputs[1]; }});
  REQUIRE(result.status == TrialStatus::complete);
  CHECK(v == doctest::Approx(6 / (m1_kg + m2_kg)).epsilon(1e-5));
}

TEST_CASE("a search may try a rigid coupling beside the scheme that solves it") {
  auto job = rigid_masses(Scheme::jacobi);
  job.space.schemes = {Scheme::jacobi, Scheme::iterative};
  const auto plan = std::get<Plan>(make_plan(job));
  const auto result = run_trial(plan, {.configuration = &plan.configurations.front(),
                                       .test = &plan.job.tests.front(),
                                       .macro_step_s = 0.01});
  CHECK(result.status == TrialStatus::unsupported);
  CHECK(result.reason.find("algebraic loop") != std::string::npos);
}

TEST_CASE("a delay breaks an algebraic loop") {
  auto job = rigid_masses(Scheme::jacobi);
  job.own_problem->connections[2].delay_macro_steps = 1;
  CHECK(refusal(job).empty());
}
