// How near the answer comes to the exact limit of stability, against a limit by hand.
#include <doctest/doctest.h>

#include <cmath>

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

}  // namespace

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
