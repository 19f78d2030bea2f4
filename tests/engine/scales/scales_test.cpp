#include "engine/scales/scales.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <variant>

#include "engine/problem/own_problem.hpp"
#include "engine/scales/default_job.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;
using macrostep::models::StateSpace;
using macrostep::tests::planned;

namespace {

Problem built(const OwnProblem& own) {
  auto problem = build_own_problem(own);
  REQUIRE(std::holds_alternative<Problem>(problem));
  return std::get<Problem>(std::move(problem));
}

std::optional<Scales> scales_of_own(const OwnProblem& own) {
  const auto problem = built(own);
  const auto graph = build_coupling_graph(problem, problem.couplings.front());
  REQUIRE(std::holds_alternative<CouplingGraph>(graph));
  return scales_of(problem, problem.couplings.front(), std::get<CouplingGraph>(graph));
}

/// 1 kg each on 10 N/m, 120 N/m between them, at rest: they swing at √10 together and at √250 rad/s
/// against each other. A force of ±1 N drives the first.
OwnProblem alike() {
  auto own = *macrostep::tests::two_masses().own_problem;
  auto& first = own.subsystems[0].state_space;
  first.a = Eigen::Matrix2d{{0, 1}, {-130, 0}};
  first.b = Eigen::MatrixXd{{0, 0, 0}, {120, 1, 0}};
  first.c = Eigen::MatrixXd{{120, 0}};
  first.d = Eigen::MatrixXd{{-120, 0, 0}};
  first.x0.setZero();
  auto& second = own.subsystems[1].state_space;
  second.a = Eigen::Matrix2d{{0, 1}, {-10, 0}};
  second.x0.setZero();
  return own;
}

/// All motions so many times as fast.
OwnProblem faster(OwnProblem own, double times) {
  for (auto& subsystem : own.subsystems) {
    subsystem.state_space.a *= times;
    subsystem.state_space.b *= times;
  }
  return own;
}

/// The force that drives the first mass also moves a state that decays at 5e6 per s, and by that
/// the force on the second: `moved` and `seen` newtons per newton.
OwnProblem with_fast_state(double moved, double seen) {
  constexpr double rate_per_s = 5e6;
  auto own = alike();
  auto& model = own.subsystems[0].state_space;
  StateSpace more = model;
  more.a = Eigen::MatrixXd::Zero(3, 3);
  more.a.topLeftCorner(2, 2) = model.a;
  more.a(2, 2) = -rate_per_s;
  more.b = Eigen::MatrixXd::Zero(3, 3);
  more.b.topRows(2) = model.b;
  more.b(2, 1) = moved * rate_per_s;
  more.c = Eigen::MatrixXd::Zero(1, 3);
  more.c.leftCols(2) = model.c;
  more.c(0, 2) = seen;
  more.x0 = Eigen::VectorXd::Zero(3);
  model = more;
  return own;
}

}  // namespace

TEST_CASE("the scales of two masses are those of their two ways of swinging") {
  const auto scales = scales_of_own(alike());
  REQUIRE(scales);
  CHECK(scales->fastest_s == doctest::Approx(1 / std::sqrt(250.0)));
  CHECK(scales->slowest_s == doctest::Approx(1 / std::sqrt(10.0)));
  CHECK_FALSE(scales->growing_per_s);
  // x2 = (1 − cos √10 t)/20 − (1 − cos √250 t)/500, largest where both cosines are −1.
  CHECK(scales->largest_outputs[1] == doctest::Approx(0.096).epsilon(1e-4));
}

TEST_CASE("scales follow rates and inputs, a decade or nine of them") {
  const auto plain = scales_of_own(alike());
  for (const double times : {1e-9, 1e-3, 1e6}) {
    CAPTURE(times);
    const auto scaled = scales_of_own(faster(alike(), times));
    REQUIRE(scaled);
    CHECK(scaled->fastest_s * times == doctest::Approx(plain->fastest_s).epsilon(1e-9));
    CHECK(scaled->slowest_s * times == doctest::Approx(plain->slowest_s).epsilon(1e-9));
    auto own = alike();
    own.external_inputs.front().minimum *= times;
    own.external_inputs.front().maximum *= times;
    const auto larger = scales_of_own(own);
    REQUIRE(larger);
    CHECK(larger->fastest_s == doctest::Approx(plain->fastest_s).epsilon(1e-9));
    for (std::size_t k = 0; k < plain->largest_outputs.size(); ++k) {
      CHECK(larger->largest_outputs[k] / times ==
            doctest::Approx(plain->largest_outputs[k]).epsilon(1e-9));
    }
  }
}

TEST_CASE("a mode that nothing moves, or that nobody sees, has no part in the scales") {
  const double expected_s = 1 / std::sqrt(250.0);
  CHECK(scales_of_own(with_fast_state(0, 1))->fastest_s == doctest::Approx(expected_s));
  CHECK(scales_of_own(with_fast_state(1, 0))->fastest_s == doctest::Approx(expected_s));
  CHECK(scales_of_own(with_fast_state(1, 1))->fastest_s == doctest::Approx(2e-7));
  // In the outputs, but as less than a thousandth of them.
  CHECK(scales_of_own(with_fast_state(1, 1e-4))->fastest_s == doctest::Approx(expected_s));
}

TEST_CASE("what starts in motion needs no input") {
  auto own = alike();
  own.external_inputs.clear();
  auto& first = own.subsystems[0].state_space;
  first.inputs.erase(first.inputs.begin() + 1);
  first.b = Eigen::MatrixXd{{0, 0}, {120, 0}};
  first.d = Eigen::MatrixXd{{-120, 0}};
  CHECK_FALSE(scales_of_own(own));  // at rest
  first.x0 = Eigen::Vector2d{1, 0};
  own.subsystems[1].state_space.x0 = Eigen::Vector2d{1, 0};  // together: the slow one alone
  const auto scales = scales_of_own(own);
  REQUIRE(scales);
  CHECK(scales->fastest_s == doctest::Approx(1 / std::sqrt(10.0)));
  CHECK(scales->largest_outputs[1] == doctest::Approx(1));
}

TEST_CASE("a shaft that nothing holds has the scales of its swing") {
  auto own = alike();
  own.subsystems[0].state_space.a(1, 0) = -120;  // without springs to the ground
  own.subsystems[1].state_space.a(1, 0) = 0;
  const auto scales = scales_of_own(own);
  REQUIRE(scales);
  CHECK(scales->fastest_s == doctest::Approx(1 / std::sqrt(240.0)));
  CHECK(scales->slowest_s == doctest::Approx(1 / std::sqrt(240.0)));
}

TEST_CASE("what grows by itself is looked at for a short time") {
  auto own = alike();
  own.subsystems[1].state_space.a(1, 0) = 40;  // pushed away, not held
  const auto scales = scales_of_own(own);
  REQUIRE(scales);
  REQUIRE(scales->growing_per_s);
  const auto job = default_job(own, built(own));
  CHECK(job.tests.front().duration_s <= 2 * largest_growth / *scales->growing_per_s * (1 + 1e-12));
}

TEST_CASE("a job of a problem alone has its times and sizes") {
  const auto own = alike();
  const auto job = default_job(own, built(own));
  const auto scales = scales_of_own(own);
  CHECK(job.macro_step.initial_s == doctest::Approx(scales->fastest_s / 16));
  CHECK(job.tests.size() == 3);
  for (const auto& test : job.tests) {
    CHECK(test.duration_s == doctest::Approx(60 / std::sqrt(10.0)));
  }
  const auto& outputs = job.own_problem->subsystems[1].state_space.outputs;
  CHECK(outputs[0].nominal == scales->largest_outputs[1]);
  // One integrator at a time: both exact, and either trapezoidal.
  CHECK(planned(job).configurations.size() == 5 * 3);
  CHECK(planned(job).configurations.front().integrators.at("m1") == Integrator::exact);
}

TEST_CASE("a nominal value that is given stays") {
  auto own = alike();
  own.subsystems[1].state_space.outputs[0].nominal = 7;
  const auto job = default_job(own, built(own));
  CHECK(job.own_problem->subsystems[1].state_space.outputs[0].nominal == 7);
}
