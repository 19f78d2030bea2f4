// Scales that runs tell, against those of the eigenvalues of the same problem.
#include "engine/scales/scales_by_runs.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <variant>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/scales/default_job.hpp"
#include "engine/scales/resolve.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/engine/verification/one_thread.hpp"
#include "tests/made_backends.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;
using macrostep::tests::one_thread;
using macrostep::tests::planned;
using macrostep::tests::TrialsBy;

namespace {

/// 1 kg each, the first on k1, the second on k2, kc between them, with dampers of a share `damping`
/// of their stiffness, and all rates times `rate`. A force drives the first.
Job masses(double k1, double k2, double kc, double damping, double rate = 1) {
  Job job = macrostep::tests::two_masses();
  auto& first = job.own_problem->subsystems[0].state_space;
  first.a = rate * Eigen::Matrix2d{{0, 1}, {-(k1 + kc), -damping * (k1 + kc)}};
  first.b = rate * Eigen::MatrixXd{{0, 0, 0}, {kc, 1, damping * kc}};
  first.c = Eigen::MatrixXd{{kc, damping * kc}};
  first.d = Eigen::MatrixXd{{-kc, 0, -damping * kc}};
  first.x0.setZero();
  auto& second = job.own_problem->subsystems[1].state_space;
  second.a = rate * Eigen::Matrix2d{{0, 1}, {-k2, -damping * k2}};
  second.b = rate * Eigen::Vector2d{0, 1};
  second.x0.setZero();
  job.space.extrapolation = {Extrapolation::order_0};
  job.space.integrators = {{"m1", {Integrator::exact}}, {"m2", {Integrator::exact}}};
  return job;
}

/// A coil and a filter, or a motor and its load, with all rates times `rate`: the first is driven
/// by a voltage, and the second one's first output is what it has of it.
Job electrical(const Eigen::MatrixXd& a1, const Eigen::MatrixXd& b1, const Eigen::MatrixXd& c1,
               const Eigen::MatrixXd& a2, const Eigen::VectorXd& b2, const Eigen::MatrixXd& c2,
               double through, double rate) {
  Job job = macrostep::tests::two_masses();
  auto& first = job.own_problem->subsystems[0].state_space;
  first = {.a = rate * a1,
           .b = rate * b1,
           .c = c1,
           .d = Eigen::MatrixXd::Zero(1, 3),
           .x0 = Eigen::VectorXd::Zero(a1.rows()),
           .inputs = first.inputs,
           .outputs = first.outputs};
  auto& second = job.own_problem->subsystems[1].state_space;
  second = {.a = rate * a2,
            .b = rate * b2,
            .c = c2,
            .d = Eigen::Vector2d(through, 0),
            .x0 = Eigen::VectorXd::Zero(a2.rows()),
            .inputs = second.inputs,
            .outputs = second.outputs};
  job.space.extrapolation = {Extrapolation::order_0};
  job.space.integrators = {{"m1", {Integrator::exact}}, {"m2", {Integrator::exact}}};
  return job;
}

Scales by_matrices(const Plan& plan) {
  const auto scales = scales_of(plan.problem, plan.problem.couplings.front(), plan.graphs.front());
  REQUIRE(scales);
  return *scales;
}

void check_against_matrices(const Job& job, double fastest_off, double slowest_off) {
  const auto plan = planned(job);
  const auto exact = by_matrices(plan).times;
  const auto found = scales_by_runs(plan, one_thread);
  REQUIRE(found);
  CAPTURE(exact.fastest_s);
  CAPTURE(exact.slowest_s);
  CAPTURE(found->times.fastest_s);
  CAPTURE(found->times.slowest_s);
  CHECK(std::abs(found->times.fastest_s / exact.fastest_s - 1) <= fastest_off);
  CHECK(std::abs(found->times.slowest_s / exact.slowest_s - 1) <= slowest_off);
}

}  // namespace

TEST_CASE("runs tell the scales of oscillations, over nine decades of them") {
  for (const double rate : {1e-5, 1e-3, 1.0, 1e2, 1e4}) {
    CAPTURE(rate);
    check_against_matrices(masses(10, 10, 120, 0, rate), 0.05, 0.05);
    check_against_matrices(masses(100, 1000, 50, 1e-3, rate), 0.05, 0.05);
    check_against_matrices(masses(1, 1e4, 20, 1e-2, rate), 0.05, 0.05);
  }
}

TEST_CASE("runs tell the times of what decays, of a thermal pair") {
  // x' = −x/τ + …, τ of 10 and 400 s, coupled weakly both ways.
  Job job = macrostep::tests::two_masses();
  auto& first = job.own_problem->subsystems[0].state_space;
  first.a = Eigen::MatrixXd{{-0.1}};
  first.b = Eigen::MatrixXd{{0.05, 1, 0}};
  first.c = Eigen::MatrixXd{{1}};
  first.d = Eigen::MatrixXd::Zero(1, 3);
  first.x0 = Eigen::VectorXd::Zero(1);
  auto& second = job.own_problem->subsystems[1].state_space;
  second.a = Eigen::MatrixXd{{-0.0025}};
  second.b = Eigen::MatrixXd{{0.002}};
  second.c = Eigen::MatrixXd{{1}, {2}};
  second.d = Eigen::MatrixXd::Zero(2, 1);
  second.x0 = Eigen::VectorXd::Zero(1);
  job.space.extrapolation = {Extrapolation::order_0};
  job.space.integrators = {{"m1", {Integrator::exact}}, {"m2", {Integrator::exact}}};
  check_against_matrices(job, 0.05, 0.1);
}

TEST_CASE("a first guess at which the hold is stable, and that is too large, misleads nobody") {
  // With 1 ms it is stable, and with an eighth of that it is not.
  for (const double rate : {1.0, 1e3}) {
    CAPTURE(rate);
    check_against_matrices(
        electrical(Eigen::MatrixXd{{-3.578}}, Eigen::MatrixXd{{-160.5, 160.5, 0}},
                   Eigen::MatrixXd{{1}}, Eigen::Matrix2d{{-3.578, -6.738}, {288.4, -3.033}},
                   Eigen::Vector2d(6.738, 0), Eigen::Matrix2d::Identity(), 0, rate),
        0.05, 0.05);
  }
}

TEST_CASE("motions that the hold of a coarser window takes for slightly slower ones are kept") {
  // Rates of 334, 154 and 129 per s.
  const Eigen::Matrix2d motor{{-352.9, -7754}, {7.566, -17.24}};
  const Eigen::MatrixXd voltage_and_torque{{0, 30722, 0}, {-29.98, 0, 0}};
  const Eigen::Matrix2d load{{0, -1}, {28568, -26.61}};
  for (const double rate : {1.0, 100.0}) {
    CAPTURE(rate);
    check_against_matrices(electrical(motor, voltage_and_torque, Eigen::MatrixXd{{0, 1}}, load,
                                      Eigen::Vector2d(1, 9.372),
                                      Eigen::Matrix2d{{1957, -0.6421}, {0, 0}}, 0.6421, rate),
                           0.05, 0.25);
  }
}

TEST_CASE("runs of pendula tell the times of their small oscillations") {
  Job job = find_built_in("coupled_pendula")->default_job;
  job.parameters = {{"m1.theta", 0.02},  {"m2.theta", -0.02}, {"coupling.k_c", 1e-6},
                    {"coupling.c_c", 0}, {"m1.l", 1},         {"m2.l", 4}};
  job.space.extrapolation = {Extrapolation::order_0};
  const auto found = scales_by_runs(planned(job), one_thread);
  REQUIRE(found);
  // √(l/g) of each; heights and forces move at multiples of these rates.
  CHECK(found->times.fastest_s < 1.05 * std::sqrt(1 / 9.81));
  CHECK(found->times.fastest_s > 0.25 * std::sqrt(1 / 9.81));
  CHECK(found->times.slowest_s == doctest::Approx(std::sqrt(4 / 9.81)).epsilon(0.05));
}

TEST_CASE("a mass that is pushed away grows by itself, and is looked at for a short time") {
  // ẍ = −K x with K = [130 −120; −120 80] N/m and 1 kg each.
  const double kappa = 105 - std::hypot(25.0, 120.0);
  for (const double rate : {1e-3, 1.0, 1e3}) {
    CAPTURE(rate);
    const auto plan = planned(masses(10, -40, 120, 0, rate));
    const auto found = scales_by_runs(plan, one_thread);
    REQUIRE(found);
    REQUIRE(found->times.growing_per_s);
    CHECK(*found->times.growing_per_s / rate == doctest::Approx(std::sqrt(-kappa)).epsilon(0.06));
    CHECK(half_test_s(found->times) * rate == doctest::Approx(2 / std::sqrt(-kappa)).epsilon(0.06));
    CHECK(found->largest_outputs[1] < 1e13);
  }
}

TEST_CASE("what is rounding in the free motion hides nothing that a jump moves") {
  Job job = masses(10, 10, 120, 1e-3, 1e-3);
  job.own_problem->subsystems[1].state_space.x0 = Eigen::Vector2d(1e-15, 0);
  check_against_matrices(job, 0.05, 0.05);
}

TEST_CASE("bodies that nothing holds have no slowest time") {
  const auto plan = planned(masses(0, 0, 120, 0));
  const auto found = scales_by_runs(plan, one_thread);
  REQUIRE(found);
  CHECK(found->times.fastest_s == doctest::Approx(1 / std::sqrt(240.0)).epsilon(0.05));
  CHECK(found->times.slowest_s == doctest::Approx(1 / std::sqrt(240.0)).epsilon(0.05));
}

TEST_CASE("what has settled within the first macro-step of a guess is found below it") {
  check_against_matrices(masses(10, 20, 120, 0.05, 3e6), 0.05, 0.1);
}

TEST_CASE("scales do not depend on the number of threads") {
  const auto plan = planned(masses(1, 1e4, 20, 1e-2));
  const auto one = scales_by_runs(plan, one_thread);
  const auto many = scales_by_runs(plan, {.backend = one_thread.backend, .threads = 2});
  REQUIRE(one);
  REQUIRE(many);
  CHECK(one->times == many->times);
  CHECK(one->largest_outputs == many->largest_outputs);
}

namespace {

/// Trials that are refused below a step of their own.
TrialsBy refusing_below(double step_s) {
  return TrialsBy([=](const Plan& of, const TrialSettings& run) {
    return run.macro_step_s < step_s
               ? TrialResult{.status = TrialStatus::fmu_error, .reason = "takes 1 ms alone"}
               : run_trial(of, run);
  });
}

}  // namespace

TEST_CASE("what refuses smaller steps than a first guess is looked at with larger ones") {
  const auto plan = planned(masses(10, 10, 120, 1e-3));
  const auto backend = refusing_below(1e-3);
  const auto found = scales_by_runs(plan, {.backend = backend, .threads = 1});
  REQUIRE(found);
  CHECK(found->times.fastest_s == doctest::Approx(1 / std::sqrt(250.0)).epsilon(0.05));
  CHECK(found->times.slowest_s == doctest::Approx(1 / std::sqrt(10.0)).epsilon(0.05));
}

TEST_CASE("what takes steps of one size alone is known by these") {
  const auto plan = planned(masses(10, 10, 120, 1e-3));
  const TrialsBy one_size([](const Plan& of, const TrialSettings& run) {
    return run.macro_step_s != 1e-3
               ? TrialResult{.status = TrialStatus::fmu_error, .reason = "takes 1 ms alone"}
               : run_trial(of, run);
  });
  const auto found = scales_by_runs(plan, {.backend = one_size, .threads = 1});
  REQUIRE(found);
  CHECK(found->times.fastest_s == doctest::Approx(1 / std::sqrt(250.0)).epsilon(0.05));
  CHECK(found->times.slowest_s == doctest::Approx(1 / std::sqrt(10.0)).epsilon(0.05));
}

TEST_CASE("of what is too slow, or ends its process, no more is asked") {
  const auto plan = planned(masses(10, 10, 120, 1e-3));
  int asked = 0;
  const TrialsBy hanging([&](const Plan&, const TrialSettings&) {
    ++asked;
    return TrialResult{.status = TrialStatus::timed_out, .reason = "too slow"};
  });
  CHECK_FALSE(scales_by_runs(plan, {.backend = hanging, .threads = 1}));
  CHECK(asked <= 6);
}

TEST_CASE("what is found by runs takes the place of what a job leaves open") {
  Job job = masses(10, 10, 120, 0.001);
  job.macro_step = assumed_grid;
  job.linear_region.scan = ScanKind::refined;
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 1},
               {.name = "impulse", .kind = TestKind::impulse, .duration_s = 1, .width_s = 0.4},
               {.name = "own", .kind = TestKind::step, .duration_s = 5},
               {.name = "sine", .kind = TestKind::sine, .duration_s = 1, .frequency_hz = 1}};
  for (auto& test : job.tests) {
    test.is_duration_open = test.name != "own";
  }
  job.tests[1].is_width_open = true;
  job.open = {.initial = true, .increment = true, .maximum = true};
  const auto asked = planned(job);
  const auto run = resolve(asked, one_thread);
  REQUIRE(std::holds_alternative<Plan>(run));
  const auto& found = std::get<Plan>(run).job;
  CHECK_FALSE(found.is_open());
  REQUIRE(found.scales);
  CHECK(found.scales->found_by == ScalesBy::runs);
  CHECK(found.macro_step.initial_s == doctest::Approx(found.scales->fastest_s / 16));
  CHECK(found.tests[0].duration_s == doctest::Approx(60 * found.scales->slowest_s));
  CHECK(*found.tests[1].width_s == doctest::Approx(0.4 * found.tests[1].duration_s));
  CHECK(found.tests[2].duration_s == 5);
  CHECK(*found.tests[3].periods == std::ceil(20 * found.macro_step.maximum_s));
  CHECK(found.macro_step.increment_s == found.macro_step.initial_s);

  const std::atomic<bool> stop{true};
  const auto stopped = resolve(asked, {.backend = one_thread.backend, .threads = 1, .stop = &stop});
  CHECK(std::get<Plan>(stopped).job == job);
  job.open = {};
  for (auto& test : job.tests) {
    test.is_duration_open = test.is_width_open = false;
  }
  CHECK(std::get<Plan>(resolve(planned(job), one_thread)).job == job);
}

TEST_CASE("an impulse that is wider than a test would be makes it longer") {
  Job job = masses(10, 10, 120, 0.001);
  job.tests = {{.name = "wide", .kind = TestKind::impulse, .duration_s = 500, .width_s = 200}};
  job.tests[0].is_duration_open = true;
  job.open = {.initial = true, .increment = true, .maximum = true};
  const auto run = resolve(planned(job), one_thread);
  REQUIRE(std::holds_alternative<Plan>(run));
  CHECK(std::get<Plan>(run).job.tests[0].duration_s == doctest::Approx(500));
  CHECK(*std::get<Plan>(run).job.tests[0].width_s == 200);
}

TEST_CASE("where nothing moves the assumed numbers stay") {
  Job job = masses(10, 10, 120, 0.001);
  job.own_problem->external_inputs[0].maximum = 1e-30;
  job.own_problem->external_inputs[0].minimum = 0;
  for (auto& subsystem : job.own_problem->subsystems) {
    subsystem.state_space.c.setZero();
    subsystem.state_space.d.setZero();
  }
  job.open = {.initial = true, .increment = true, .maximum = true};
  const auto run = resolve(planned(job), one_thread);
  REQUIRE(std::holds_alternative<Plan>(run));
  const auto& found = std::get<Plan>(run).job;
  REQUIRE(found.scales);
  CHECK(found.scales->found_by == ScalesBy::assumed);
  CHECK(found.macro_step.initial_s == doctest::Approx(2e-4));
}
