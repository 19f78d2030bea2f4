// How near the answer comes to the exact limit of stability, against a limit by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "engine/search/run_search.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep::engine;

namespace {

constexpr double decay_per_s = 0.02;

/// A fast heater that holds back a slow body, x' = −a x + r a f, with f = −x: both are held for a
/// macro-step, so that with φ = exp(−a H) the body goes x_{n+1} = φ x_n − r (1 − φ) x_{n−1}. This
/// decays as long as r (1 − φ) < 1, that is H < ln(r / (r − 1)) / a.
Job heated_body(double r) {
  Job job = macrostep::tests::two_masses();
  auto& heater = job.own_problem->subsystems[0].state_space;
  heater.a = Eigen::MatrixXd{{-2000}};
  heater.b = Eigen::MatrixXd{{0, 2000, -2000}};
  heater.c = Eigen::MatrixXd{{1}};
  heater.d = Eigen::MatrixXd::Zero(1, 3);
  heater.x0 = Eigen::VectorXd::Zero(1);
  auto& body = job.own_problem->subsystems[1].state_space;
  body.a = Eigen::MatrixXd{{-decay_per_s}};
  body.b = Eigen::MatrixXd{{r * decay_per_s}};
  body.c = Eigen::Vector2d{0, 1};
  body.d = Eigen::Vector2d::Zero();
  body.x0 = Eigen::VectorXd::Zero(1);
  job.space.extrapolation = {Extrapolation::order_0};
  job.space.integrators = {{"m1", {macrostep::models::Integrator::exact}},
                           {"m2", {macrostep::models::Integrator::exact}}};
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 4000},
               {.name = "impulse", .kind = TestKind::impulse, .duration_s = 4000, .width_s = 200}};
  return job;
}

/// A mass of 1 rad/s and a circuit of 20 rad/s, lightly damped, coupled by a gyrator of 0.1 N/A. By
/// matrices of our own outside the engine a motion grows between 0.2988 and 0.2995 s, where the two
/// turn by 2π together within a macro-step, and nothing does from there to above 0.4 s.
Job gyrator() {
  using macrostep::models::Integrator;
  auto job = macrostep::tests::two_masses();
  auto& own = *job.own_problem;
  auto& mass = own.subsystems[0].state_space;
  mass.a = Eigen::Matrix2d{{0, 1}, {-1, -0.006}};
  mass.b = Eigen::Matrix2d{{0, 0}, {1, 1}};
  mass.c = Eigen::MatrixXd{{0, 1}};
  mass.d = Eigen::MatrixXd::Zero(1, 2);
  mass.x0 = Eigen::Vector2d::Zero();
  mass.inputs = {{"f", "N"}, {"w", "N"}};
  mass.outputs = {{"v", "m/s"}};
  auto& circuit = own.subsystems[1].state_space;
  circuit.a = Eigen::Matrix2d{{0, 1}, {-400, -0.012}};
  circuit.b = Eigen::Vector2d{0, 0.1};
  circuit.c = Eigen::MatrixXd{{0, -0.1}};
  circuit.d = Eigen::MatrixXd::Zero(1, 1);
  circuit.x0 = Eigen::Vector2d::Zero();
  circuit.inputs = {{"v", "m/s"}};
  circuit.outputs = {{"f", "N"}};
  own.connections = {{{"m1", "v"}, {"m2", "v"}}, {{"m2", "f"}, {"m1", "f"}}};
  own.power_bonds = {{.effort = {{"m2", "f"}}, .flow = {{"m1", "v"}}}};
  own.external_inputs = {{.to = {"m1", "w"}, .minimum = -1, .maximum = 1}};
  job.space.extrapolation = {Extrapolation::order_0};
  job.space.integrators = {{"m1", {Integrator::exact}}, {"m2", {Integrator::exact}}};
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 60}};
  return job;
}

}  // namespace

TEST_CASE("a narrow band of instability below H ends it, whatever the scan") {
  for (const double increment_s : {0.02, 0.021, 0.025, 0.05}) {
    CAPTURE(increment_s);
    auto job = gyrator();
    job.macro_step = {.initial_s = increment_s, .increment_s = increment_s, .maximum_s = 0.5};
    const auto answer = run_search(macrostep::tests::planned(job), {}).answer;
    REQUIRE(answer.recommendation);
    CHECK(*answer.recommendation->stability_limit_s == doctest::Approx(0.29882).epsilon(1e-4));
    CHECK(answer.recommendation->macro_step_s == doctest::Approx(0.266));
  }
}

TEST_CASE("a narrow band is found among many oscillations that have no part in it") {
  auto job = gyrator();
  auto& own = *job.own_problem;
  for (int k = 0; k < 14; ++k) {  // each listens, and feeds nothing back
    auto monitor = own.subsystems[1];
    monitor.name = "monitor" + std::to_string(k);
    monitor.state_space.a = Eigen::Matrix2d{{0, 1}, {-std::pow(2 + 0.7 * k, 2), -0.01}};
    job.space.integrators[monitor.name] = {macrostep::models::Integrator::exact};
    own.connections.push_back({{"m1", "v"}, {monitor.name, "v"}});
    own.subsystems.push_back(monitor);
  }
  job.macro_step = {.initial_s = 0.05, .increment_s = 0.05, .maximum_s = 0.5};
  const auto answer = run_search(macrostep::tests::planned(job), {}).answer;
  REQUIRE(answer.recommendation);
  CHECK(*answer.recommendation->stability_limit_s == doctest::Approx(0.29882).epsilon(1e-4));
}

TEST_CASE("what the exact analysis knows comes before what it does not") {
  using macrostep::models::Integrator;
  auto job = macrostep::tests::two_masses();
  for (auto& subsystem : job.own_problem->subsystems) {
    subsystem.state_space.a(1, 1) = -0.5;
    subsystem.state_space.x0.setZero();
  }
  job.space.integrators = {{"m1", {Integrator::exact}}, {"m2", {Integrator::exact}}};
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 10}};
  job.macro_step = {.initial_s = 0.002, .increment_s = 0.002, .maximum_s = 0.3};
  job.stability_check = StabilityCheck::exact;
  job.space.extrapolation = {Extrapolation::adaptive};
  const auto answer_of = [](const Job& asked) {
    return run_search(macrostep::tests::planned(asked), {}).answer;
  };
  const auto alone = answer_of(job);  // has no matrix Φ: all that is known are the curves
  REQUIRE(alone.recommendation);
  CHECK_FALSE(alone.recommendation->is_verified());
  job.space.extrapolation = {Extrapolation::order_2, Extrapolation::adaptive};
  const auto answer = answer_of(job);
  REQUIRE(answer.recommendation);
  CHECK(answer.recommendation->configuration == 0);
  CHECK(answer.recommendation->is_verified());
  CHECK(answer.recommendation->macro_step_s < alone.recommendation->macro_step_s);
}

TEST_CASE("a delay of many macro-steps has one limit, whatever the scan") {
  // An oscillator of 1 rad/s and a lag of 0.9 1/s, 12 macro-steps late: by matrices of our own
  // outside the engine a motion grows from 0.1712 to 0.1834 s, and none does from there to 0.24 s.
  for (const double increment_s : {0.01, 0.0295, 0.05}) {
    CAPTURE(increment_s);
    auto job = gyrator();
    auto& own = *job.own_problem;
    own.subsystems[0].state_space.a(1, 1) = -0.00667;
    auto& lag = own.subsystems[1].state_space;
    lag.a = Eigen::MatrixXd{{-0.9}};
    lag.b = Eigen::MatrixXd{{0.9}};
    lag.c = Eigen::MatrixXd{{-0.01}};
    lag.x0 = Eigen::VectorXd::Zero(1);
    own.connections[0].delay_macro_steps = 12;
    job.tests[0].duration_s = 300;
    job.macro_step = {.initial_s = increment_s, .increment_s = increment_s, .maximum_s = 0.24};
    const auto answer = run_search(macrostep::tests::planned(job), {}).answer;
    REQUIRE(answer.recommendation);
    REQUIRE(answer.recommendation->stability_limit_s);
    CHECK(*answer.recommendation->stability_limit_s == doctest::Approx(0.1712).epsilon(1e-3));
    CHECK(answer.recommendation->macro_step_s == doctest::Approx(0.152));
  }
}

TEST_CASE("where nothing grows the scan's cliff does not end H, but the job's range does") {
  auto job = gyrator();
  job.own_problem->subsystems[1].state_space.a(1, 1) = -40;  // the circuit is overdamped
  for (const double increment_s : {0.02, 0.021, 0.05}) {
    CAPTURE(increment_s);
    job.macro_step = {.initial_s = increment_s, .increment_s = increment_s, .maximum_s = 0.5};
    const auto answer = run_search(macrostep::tests::planned(job), {}).answer;
    REQUIRE(answer.recommendation);
    CHECK_FALSE(answer.recommendation->stability_limit_s);
    CHECK(answer.recommendation->macro_step_s >= 0.5 * (1 - 1.0 / 50));
  }
  job.macro_step = {.initial_s = 0.02, .increment_s = 0.02, .maximum_s = 0.5};
  job.allowed_macro_steps_s = {0.3, 0.4, 0.45};
  const auto answer = run_search(macrostep::tests::planned(job), {}).answer;
  REQUIRE(answer.recommendation);
  CHECK(answer.recommendation->macro_step_s == 0.45);
}

TEST_CASE("a delay towards a part that feeds nothing back changes no verdict") {
  const auto answer_with = [](int delay_macro_steps) {
    auto job = gyrator();
    auto& own = *job.own_problem;
    auto monitor = own.subsystems[1];
    monitor.name = "monitor";
    own.subsystems.push_back(monitor);
    own.connections.push_back({{"m1", "v"}, {"monitor", "v"}});
    own.connections.back().delay_macro_steps = delay_macro_steps;
    job.space.integrators["monitor"] = {macrostep::models::Integrator::exact};
    job.macro_step = {.initial_s = 0.02, .increment_s = 0.02, .maximum_s = 0.5};
    return *run_search(macrostep::tests::planned(job), {}).answer.recommendation;
  };
  const auto own = answer_with(0);
  const auto delayed = answer_with(1);
  CHECK(delayed.macro_step_s == own.macro_step_s);
  CHECK(delayed.growth->growth.exact_rate_per_s == own.growth->growth.exact_rate_per_s);
  CHECK(delayed.growth->growth.rate_per_s ==
        doctest::Approx(own.growth->growth.rate_per_s).epsilon(1e-9));
  CHECK(delayed.growth->session_s == own.growth->session_s);
}

TEST_CASE("the largest stable macro-step does not depend on where a fine scan sees its cliff") {
  for (const double r : {1.2, 3.0}) {
    const double limit_s = std::log(r / (r - 1)) / decay_per_s;
    for (const double increment_s : {0.05, 0.5, 5.0}) {
      CAPTURE(r);
      CAPTURE(increment_s);
      Job job = heated_body(r);
      job.macro_step = {.initial_s = increment_s, .increment_s = increment_s, .maximum_s = 400};
      const auto answer = run_search(macrostep::tests::planned(job), {}).answer;
      REQUIRE(answer.recommendation);
      CHECK(answer.recommendation->macro_step_s <= limit_s / 1.1);
      CHECK(answer.recommendation->macro_step_s >= 0.97 * limit_s / 1.1);
      REQUIRE(answer.recommendation->stability_limit_s);
      CHECK(*answer.recommendation->stability_limit_s == doctest::Approx(limit_s).epsilon(1e-3));
    }
  }
}
