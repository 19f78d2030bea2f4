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
  CHECK(scales->times.fastest_s == doctest::Approx(1 / std::sqrt(250.0)));
  CHECK(scales->times.slowest_s == doctest::Approx(1 / std::sqrt(10.0)));
  CHECK_FALSE(scales->times.growing_per_s);
  // x2 = (1 − cos √10 t)/20 − (1 − cos √250 t)/500, largest where both cosines are −1.
  CHECK(scales->largest_outputs[1] == doctest::Approx(0.096).epsilon(1e-4));
}

TEST_CASE("scales follow rates and inputs, a decade or nine of them") {
  const auto plain = scales_of_own(alike());
  for (const double times : {1e-9, 1e-3, 1e6}) {
    CAPTURE(times);
    const auto scaled = scales_of_own(faster(alike(), times));
    REQUIRE(scaled);
    CHECK(scaled->times.fastest_s * times == doctest::Approx(plain->times.fastest_s).epsilon(1e-9));
    CHECK(scaled->times.slowest_s * times == doctest::Approx(plain->times.slowest_s).epsilon(1e-9));
    auto own = alike();
    own.external_inputs.front().minimum *= times;
    own.external_inputs.front().maximum *= times;
    const auto larger = scales_of_own(own);
    REQUIRE(larger);
    CHECK(larger->times.fastest_s == doctest::Approx(plain->times.fastest_s).epsilon(1e-9));
    for (std::size_t k = 0; k < plain->largest_outputs.size(); ++k) {
      CHECK(larger->largest_outputs[k] / times ==
            doctest::Approx(plain->largest_outputs[k]).epsilon(1e-9));
    }
  }
}

TEST_CASE("a mode that nothing moves, or that nobody sees, has no part in the scales") {
  const double expected_s = 1 / std::sqrt(250.0);
  CHECK(scales_of_own(with_fast_state(0, 1))->times.fastest_s == doctest::Approx(expected_s));
  CHECK(scales_of_own(with_fast_state(1, 0))->times.fastest_s == doctest::Approx(expected_s));
  CHECK(scales_of_own(with_fast_state(1, 1))->times.fastest_s == doctest::Approx(2e-7));
  // In the outputs, but as less than a thousandth of them.
  CHECK(scales_of_own(with_fast_state(1, 1e-4))->times.fastest_s == doctest::Approx(expected_s));
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
  CHECK(scales->times.fastest_s == doctest::Approx(1 / std::sqrt(10.0)));
  CHECK(scales->largest_outputs[1] == doctest::Approx(1));
}

TEST_CASE("a shaft that nothing holds has the scales of its swing") {
  auto own = alike();
  own.subsystems[0].state_space.a(1, 0) = -120;  // without springs to the ground
  own.subsystems[1].state_space.a(1, 0) = 0;
  const auto scales = scales_of_own(own);
  REQUIRE(scales);
  CHECK(scales->times.fastest_s == doctest::Approx(1 / std::sqrt(240.0)));
  CHECK(scales->times.slowest_s == doctest::Approx(1 / std::sqrt(240.0)));
}

TEST_CASE(
    "an eigenvalue 0 that rounding makes small is no motion, of a shaft that is hardly braked") {
  // A rotor on a shaft of 94.5 rad²/s² to another one, which a bearing brakes by 3.4e-5 per s. The
  // angle of both has no spring: rounding makes -1.7e-10 per s of its eigenvalue 0.
  auto own = *macrostep::tests::two_masses().own_problem;
  auto& first = own.subsystems[0].state_space;
  first.a = Eigen::Matrix2d{{0, 1}, {-94.47766300578058, -0.041654470286830066}};
  first.b =
      Eigen::MatrixXd{{0, 0, 0}, {94.47766300578058, 101.87098331861523, 0.041599841181974975}};
  first.c = Eigen::MatrixXd{{0.9274246692042714, 0.0004083580998905828}};
  first.d = Eigen::MatrixXd{{-0.9274246692042714, 0, -0.0004083580998905828}};
  first.x0.setZero();
  auto& second = own.subsystems[1].state_space;
  second.a = Eigen::Matrix2d{{0, 1}, {0, -3.363782553191258e-05}};
  second.b = Eigen::Vector2d{0, 27.83372035472859};
  second.x0.setZero();
  const auto scales = scales_of_own(own);
  REQUIRE(scales);
  // √(94.48 + 0.9274 · 27.83) rad/s against each other, and the brake of both.
  CHECK(scales->times.fastest_s == doctest::Approx(1 / 10.9677).epsilon(1e-4));
  CHECK(scales->times.slowest_s == doctest::Approx(1 / 3.81422e-5).epsilon(1e-4));
}

TEST_CASE("what grows by itself is looked at for a short time") {
  auto own = alike();
  own.subsystems[1].state_space.a(1, 0) = 40;  // pushed away, not held: x'' = 40 x + f
  const auto scales = scales_of_own(own);
  REQUIRE(scales);
  REQUIRE(scales->times.growing_per_s);
  // K = [130 −120; −120 80] N/m: with 1 kg each, ẍ = −K x grows at √−κ, κ the negative eigenvalue.
  const double kappa = 105 - std::sqrt(25 * 25 + 120 * 120.0);
  CHECK(*scales->times.growing_per_s == doctest::Approx(std::sqrt(-kappa)));
  const auto job = default_job(own, built(own));
  CHECK(job.tests.front().duration_s == doctest::Approx(4 / std::sqrt(-kappa)));
}

TEST_CASE("a job of a problem alone has its times and sizes") {
  const auto own = alike();
  const auto job = default_job(own, built(own));
  CHECK(job.macro_step.initial_s == doctest::Approx(1 / (16 * std::sqrt(250.0))));
  CHECK(job.tests.size() == 3);
  for (const auto& test : job.tests) {
    CHECK(test.duration_s == doctest::Approx(60 / std::sqrt(10.0)));
  }
  const auto& outputs = job.own_problem->subsystems[1].state_space.outputs;
  REQUIRE(outputs[0].nominal);
  CHECK(*outputs[0].nominal == doctest::Approx(0.096).epsilon(1e-3));
  // One integrator at a time: both exact, and either trapezoidal.
  CHECK(planned(job).configurations.size() == 5 * 3);
  CHECK(planned(job).configurations.front().integrators.at("m1") == Integrator::exact);
}

TEST_CASE("an open duration holds no more of a given first H than a trial takes in a second") {
  Job job;
  job.macro_step = {.initial_s = 1e-4, .increment_s = 1e-4, .maximum_s = 1};
  job.tests = {{.name = "step", .kind = TestKind::step, .is_duration_open = true}};
  take_scales({.fastest_s = 1, .slowest_s = 1e6}, job);
  CHECK(job.tests.front().duration_s == doctest::Approx(1e6 * 1e-4));
}

TEST_CASE("a nominal value that is given stays") {
  auto own = alike();
  own.subsystems[1].state_space.outputs[0].nominal = 7;
  const auto job = default_job(own, built(own));
  CHECK(job.own_problem->subsystems[1].state_space.outputs[0].nominal == 7);
}

TEST_CASE("jumps of several inputs are large whatever their signs") {
  auto own = alike();
  auto& second = own.subsystems[1].state_space;
  second.inputs.push_back({"w", "N"});
  second.b = Eigen::MatrixXd{{0, 0}, {1, 1}};
  second.d = Eigen::MatrixXd::Zero(2, 2);
  const double alone = scales_of_own(alike())->largest_outputs[1];
  own.external_inputs.push_back({.to = {"m2", "w"}, .minimum = -1, .maximum = 1});
  const auto same = scales_of_own(own);
  own.external_inputs.back() = {.to = {"m2", "w"}, .minimum = -1, .maximum = 0};
  const auto opposed = scales_of_own(own);
  CHECK(same->largest_outputs[1] > 1.5 * alone);
  CHECK(opposed->largest_outputs[1] == doctest::Approx(same->largest_outputs[1]));
}

TEST_CASE("ends of the grid that the job leaves open follow its tests") {
  const auto own = alike();
  auto job = default_job(own, built(own));
  for (auto& test : job.tests) {
    test.duration_s = 1000;
  }
  job.minimum_macro_steps = 100;
  fit_to_tests(job, {});
  CHECK(job.macro_step.maximum_s == doctest::Approx(10));
  CHECK(job.macro_step.initial_s == doctest::Approx(1000 / 3e4));
  job.tests.back().duration_s = 1e-5;  // a test as short as this bounds the first H
  fit_to_tests(job, {.initial = false, .maximum = true});
  CHECK(job.macro_step.initial_s == doctest::Approx(1e-5));
  CHECK(job.macro_step.maximum_s == doctest::Approx(10));
}

TEST_CASE("the first H is below what the job allows") {
  const auto own = alike();
  auto job = default_job(own, built(own));
  job.macro_step.maximum_s = 1e-3;
  fit_to_tests(job, {.initial = false, .maximum = true});
  CHECK(job.macro_step.initial_s == doctest::Approx(1e-3 / 16));
  job.allowed_macro_steps_s = {1e-5, 1e-3};
  fit_to_tests(job, {.initial = false, .maximum = true});
  CHECK(job.macro_step.initial_s == 1e-5);
  job.macro_step.initial_s = 1e4;  // given, beyond the tests
  fit_to_tests(job, {.initial = true, .maximum = false});
  CHECK(job.macro_step.maximum_s == 1e4);
}

TEST_CASE("of three groups each other integrator comes once") {
  SearchSpace space;
  space.integrators = {{"a", {Integrator::exact, Integrator::trapezoidal, Integrator::rk4}},
                       {"b", {Integrator::exact}},
                       {"c", {Integrator::exact, Integrator::trapezoidal}}};
  CHECK(space.sets_of_integrators().size() == 6);
  CHECK(space.count_of_integrator_sets() == 6);
  space.integrator_sets = IntegratorSets::one_at_a_time;
  const auto sets = space.sets_of_integrators();
  REQUIRE(sets.size() == 4);
  CHECK(space.count_of_integrator_sets() == 4);
  CHECK(sets[1].at("a") == Integrator::trapezoidal);
  CHECK(sets[2].at("a") == Integrator::rk4);
  CHECK(sets[3].at("a") == Integrator::exact);
  CHECK(sets[3].at("c") == Integrator::trapezoidal);
}
