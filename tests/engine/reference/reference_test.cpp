#include "engine/reference/reference.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <atomic>
#include <cmath>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/reference/reference_errors.hpp"
#include "engine/trial/trial.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/matrix_exponential.hpp"

using namespace macrostep::engine;
using macrostep::tests::planned;
namespace tests = macrostep::tests;
using macrostep::models::Integrator;

namespace {
std::unique_ptr<Reference> reference_of(const Plan& plan, const TestInput& test) {
  return std::get<std::unique_ptr<Reference>>(
      Reference::make(plan, plan.configurations.front(), test));
}

TrialError error_of(const Plan& plan, const Configuration& configuration, const TestInput& test,
                    double macro_step_s) {
  const auto reference = reference_of(plan, test);
  ErrorSums errors(plan.graph(configuration), first_event_s(test));
  bool follows = true;
  run_trial(plan, {.configuration = &configuration,
                   .test = &test,
                   .macro_step_s = macro_step_s,
                   .trace = [&](const TracePoint& point) {
                     follows = follows && reference->advance_to(point.time_s);
                     errors.add(point.time_s, point.outputs, reference->outputs());
                   }});
  REQUIRE(follows);
  return errors.error();
}

/// Errors of one output, which is exchanged.
struct OneOutput {
  explicit OneOutput(std::optional<double> event_s = std::nullopt)
      : errors(graph_of_one(), event_s) {}

  void add(double time_s, double output, double reference) {
    errors.add(time_s, std::span(&output, 1), std::span(&reference, 1));
  }

  static CouplingGraph graph_of_one() {
    CouplingGraph graph;
    graph.nominal = {1};
    graph.inputs = {{.source = 0}};
    return graph;
  }

  ErrorSums errors;
};

}  // namespace

TEST_CASE("the reference of linear subsystems is the exponential of the coupled matrix") {
  // ẍ1 = −10 x1 − 100 (x1 − x2), ẍ2 = −1000 x2 + 100 (x1 − x2) from (0, 1), (0, −1).
  auto job = macrostep::tests::two_masses();
  job.tests = {{.name = "none", .kind = TestKind::none, .duration_s = 3}};
  const auto plan = planned(job);
  const auto reference = reference_of(plan, plan.job.tests[0]);
  CHECK(reference->method() == "matrix exponential");
  REQUIRE(reference->advance_to(1));
  REQUIRE(reference->advance_to(3));
  const Eigen::Matrix4d a{{0, 1, 0, 0}, {-110, 0, 100, 0}, {0, 0, 0, 1}, {100, 0, -1100, 0}};
  const Eigen::Vector4d end = tests::matrix_exponential(a * 3.0) * Eigen::Vector4d(0, 1, 0, -1);
  // Rounding of ‖A‖ t = 3e3 in the exponential.
  CHECK(reference->outputs()[1] == doctest::Approx(end[2]).epsilon(1e-10));
  CHECK(reference->outputs()[0] == doctest::Approx(100 * (end[0] - end[2])).epsilon(1e-10));
}

TEST_CASE("the exponential and CVODE agree under every test input") {
  // With a nonlinear exponent of 1 + 1e-13 the same oscillator goes through CVODE: what differs is
  // its tolerance of 1e-10, some hundred times over, and the sine's interpolation of 3e-10.
  const auto* linear = find_built_in("linear_oscillator");
  const auto* nonlinear = find_built_in("nonlinear_oscillator");
  REQUIRE(linear);
  REQUIRE(nonlinear);
  auto job = linear->default_job;
  auto other = nonlinear->default_job;
  other.parameters = {{"m1.n_s", 1}, {"m2.n_s", 1}, {"coupling.n_s", 1 + 1e-13}};
  const auto record = std::make_shared<macrostep::models::Record>(
      macrostep::models::Record{{0, 0.3, 0.31, 1}, {0, 500, -500, 0}});
  for (const auto& test :
       {TestInput{.name = "step", .kind = TestKind::step, .duration_s = 1},
        TestInput{.name = "ramp", .kind = TestKind::ramp, .duration_s = 1},
        TestInput{.name = "impulse", .kind = TestKind::impulse, .duration_s = 1, .width_s = 0.35},
        TestInput{.name = "sine", .kind = TestKind::sine, .duration_s = 1, .frequency_hz = 9},
        TestInput{.name = "r", .kind = TestKind::recorded, .duration_s = 1, .record = record}}) {
    CAPTURE(test.name);
    job.tests = other.tests = {test};
    job.space.couplings = other.space.couplings = {"force_displacement"};
    const auto plan = planned(job);
    auto other_plan = planned(other);
    other_plan.problem.external_inputs = plan.problem.external_inputs;  // the same ranges
    const auto exact = reference_of(plan, plan.job.tests[0]);
    const auto solved = reference_of(other_plan, other_plan.job.tests[0]);
    CHECK(exact->method() == "matrix exponential");
    CHECK(solved->method() == "CVODE Adams");
    for (const double time_s : {0.1, 0.37, 0.5, 0.62, 1.0}) {
      REQUIRE(exact->advance_to(time_s));
      REQUIRE(solved->advance_to(time_s));
      CHECK(solved->outputs()[0] == doctest::Approx(exact->outputs()[0]).epsilon(1e-6));
    }
  }
}

TEST_CASE("a crane's trial approaches its reference with H") {
  // The force is held: the error is of first order in H and a quarter at H/4. The micro-steps
  // of the trapezoidal rule add less than a hundredth of it.
  auto job = find_built_in("single_actuator_crane")->default_job;
  const auto plan = planned(job);
  Configuration configuration = plan.configurations.front();
  configuration.extrapolation = Extrapolation::order_2;
  configuration.integrators["hydraulics"] = Integrator::trapezoidal;
  const auto& step = plan.job.tests.front();
  const auto coarse = error_of(plan, configuration, step, 2e-4);
  const auto fine = error_of(plan, configuration, step, 5e-5);
  CHECK(fine.nrmse < 0.01);
  CHECK(coarse.nrmse / fine.nrmse > 3);
  CHECK(coarse.nrmse / fine.nrmse < 5);
}

TEST_CASE("energy is conserved by the reference where the system conserves it") {
  auto job = find_built_in("linear_oscillator")->default_job;
  const auto plan = planned(job);
  const TestInput free{.name = "none", .kind = TestKind::none, .duration_s = 10};
  const auto reference = reference_of(plan, free);
  REQUIRE(reference->advance_to(0));
  const double before = reference->energy_j().value();
  REQUIRE(reference->advance_to(10));
  CHECK(reference->energy_j().value() == doctest::Approx(before).epsilon(1e-9));
}

TEST_CASE("an event that rounds to just before a communication point is passed") {
  // The impulse ends at 1 + 0.8/2 s, an ulp before 1400 macro-steps of 1 ms.
  const auto plan = planned(find_built_in("hydraulic_manipulator")->default_job);
  const TestInput impulse{
      .name = "impulse", .kind = TestKind::impulse, .duration_s = 2, .width_s = 0.8};
  const auto reference = reference_of(plan, impulse);
  for (int n = 0; n <= 2000; ++n) {
    REQUIRE(reference->advance_to(n * 1e-3));
  }
}

TEST_CASE("delayed connections have no reference, and the reason says so") {
  auto job = macrostep::tests::two_masses();
  job.own_problem->connections[0].delay_macro_steps = 1;
  const auto plan = planned(job);
  const auto made = Reference::make(plan, plan.configurations.front(), plan.job.tests.front());
  REQUIRE(std::holds_alternative<std::string>(made));
  CHECK(std::get<std::string>(made).find("delay") != std::string::npos);
}

TEST_CASE("a problem of very many states has no reference, which would take too long") {
  auto job = macrostep::tests::two_masses();
  macrostep::models::StateSpace still;
  still.a = -Eigen::MatrixXd::Identity(200, 200);
  still.b = Eigen::MatrixXd::Zero(200, 1);
  still.c = Eigen::MatrixXd::Zero(1, 200);
  still.d = Eigen::MatrixXd::Zero(1, 1);
  still.x0 = Eigen::VectorXd::Zero(200);
  still.inputs = {{"f", "N"}};
  still.outputs = {{"x", "m"}};
  for (const char* name : {"a", "b", "c", "d", "e"}) {  // 1004 states
    job.own_problem->subsystems.push_back({name, still});
    job.own_problem->connections.push_back({{"m1", "f"}, {name, "f"}});
    job.space.integrators[name] = {Integrator::trapezoidal};
  }
  const auto plan = planned(job);
  const auto made = Reference::make(plan, plan.configurations.front(), plan.job.tests.front());
  REQUIRE(std::holds_alternative<std::string>(made));
  CHECK(std::get<std::string>(made).find("more than 1000 states") != std::string::npos);
}

TEST_CASE("errors are measured in standard deviations of the reference") {
  // Reference ±1: standard deviation 1; every point errs by 0.1, one by 0.3.
  OneOutput one;
  one.add(0, 1.1, 1);
  one.add(1, -0.9, -1);
  one.add(2, 1.1, 1);
  one.add(3, -1.3, -1);
  CHECK(one.errors.error().nrmse == doctest::Approx(std::sqrt((3 * 0.01 + 0.09) / 4)));
  CHECK(one.errors.error().largest == doctest::Approx(0.3));
}

TEST_CASE("a rest before the event of a test does not make the error smaller") {
  // The reference jumps from 0 to 1 and the run follows it to 0.5, then with 0.8.
  const auto error = [](int rest_points) {
    OneOutput one(rest_points);
    for (int n = 0; n < rest_points; ++n) {
      one.add(n, 0, 0);
    }
    one.add(rest_points, 0.5, 1);
    one.add(rest_points + 1, 0.8, 1);
    // The standard deviation is that of the whole: p of the points are 1.
    const double p = 2.0 / (rest_points + 2);
    return one.errors.error().nrmse * std::sqrt(p * (1 - p));
  };
  CHECK(error(2) == doctest::Approx(std::sqrt((0.25 + 0.04) / 2)));
  CHECK(error(200) == doctest::Approx(error(2)));
}

TEST_CASE("an output that moves for a moment alone is held against its range") {
  OneOutput one;
  one.add(0, 1.01, 1);
  for (int n = 1; n < 1'000'000; ++n) {
    one.add(n, 0, 0);  // the standard deviation is 0.001
  }
  CHECK(one.errors.error().largest == doctest::Approx(1));
}

TEST_CASE("a solution that is told to stop ends within its integration") {
  for (const char* problem : {"linear_oscillator", "nonlinear_oscillator"}) {
    CAPTURE(problem);
    const auto plan = std::get<Plan>(make_plan(find_built_in(problem)->default_job));
    std::atomic<bool> stop = false;
    const auto made =
        Reference::make(plan, plan.configurations.front(), plan.job.tests.front(), &stop);
    auto& reference = *std::get<std::unique_ptr<Reference>>(made);
    CHECK(reference.advance_to(1));
    stop = true;  // no call looks at it before it integrates
    CHECK_FALSE(reference.advance_to(1e6));
  }
}
