#include "engine/studies/analysis.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/reference/true_error.hpp"
#include "engine/stability/propagation.hpp"

using namespace macrostep::engine;

namespace {

Plan plan_of(const char* problem) {
  return std::get<Plan>(make_plan(find_built_in(problem)->default_job));
}

Configuration with(const Plan& plan, Extrapolation extrapolation) {
  auto configuration = plan.configurations.front();
  configuration.extrapolation = extrapolation;
  return configuration;
}

std::vector<AnalysisPoint> analyse_first_test(Plan plan, const Configuration& configuration,
                                              std::span<const double> macro_steps_s) {
  plan.configurations = {configuration};
  plan.schedules = schedules_of(plan);
  return analyse(plan, {}, macro_steps_s);
}

}  // namespace

TEST_CASE("held inputs need 7 µs for a local error of 1e-3 on the stiff oscillator") {
  // Haid et al. 2022, section 5, read from a figure: a factor of 2 is what it tells.
  const auto plan = plan_of("stiff_oscillator");
  const std::array macro_steps_s{7e-6};
  const auto points = analyse_first_test(plan, with(plan, Extrapolation::order_0), macro_steps_s);
  REQUIRE(points.front().local_error);
  CHECK(*points.front().local_error > 0.5e-3);
  CHECK(*points.front().local_error < 2e-3);
}

TEST_CASE("local and global errors fall with H at the order of the extrapolation and one more") {
  const auto plan = plan_of("linear_oscillator");
  const std::array macro_steps_s{2.5e-4, 5e-4};
  for (const auto extrapolation : {Extrapolation::order_0, Extrapolation::order_1}) {
    const int m = order(extrapolation);
    auto configuration = with(plan, extrapolation);
    for (auto& [group, integrator] : configuration.integrators) {
      integrator = macrostep::models::Integrator::exact;
    }
    const auto points = analyse_first_test(plan, configuration, macro_steps_s);
    CAPTURE(m);
    // An input missed by O(H^(m+1)) shows at once in the forces, which are outputs.
    CHECK(std::log2(*points[1].local_error / *points[0].local_error) ==
          doctest::Approx(m + 1).epsilon(0.1));
    CHECK(std::log2(*points[1].global_error / *points[0].global_error) ==
          doctest::Approx(m + 1).epsilon(0.2));
  }
}

TEST_CASE("linearised about any point a linear problem keeps its propagation matrix") {
  const auto plan = plan_of("linear_oscillator");
  for (const auto extrapolation :
       {Extrapolation::order_0, Extrapolation::order_2, Extrapolation::smooth}) {
    CAPTURE(to_string(extrapolation));
    auto configuration = with(plan, extrapolation);
    configuration.substeps = {{"m2", 2}};
    const auto exact = propagation_matrix(plan, configuration, 0.002);
    const auto linearised =
        linearised_propagation_matrix(plan, configuration, plan.job.tests.front(), 0.002, 1.5);
    REQUIRE(std::holds_alternative<Eigen::MatrixXd>(exact));
    REQUIRE(std::holds_alternative<Eigen::MatrixXd>(linearised));
    const auto& phi = std::get<Eigen::MatrixXd>(exact);
    CHECK((std::get<Eigen::MatrixXd>(linearised) - phi).cwiseAbs().maxCoeff() <=
          1e-8 * phi.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("what cannot be known is absent, with the first reason") {
  const auto plan = plan_of("single_actuator_crane");
  const std::array macro_steps_s{0.001, 0.02};
  const auto points = analyse_first_test(plan, with(plan, Extrapolation::order_1), macro_steps_s);
  CHECK(!points[0].spectral_radius);
  CHECK(!points[0].local_error);
  CHECK(points[0].global_error);
  CHECK(points[0].no_radius_reason == "subsystem 'mechanics' is not linear");
  CHECK(points[0].no_global_error_reason.empty());
  CHECK(points[1].no_global_error_reason.starts_with("solver_failed in test"));
  CHECK(!points[1].global_error);
  CHECK(!largest_stable_s(points));
}

TEST_CASE("the largest stable macro-step has none that is unstable below it") {
  const auto point = [](double macro_step_s, GrowthKind kind) {
    return AnalysisPoint{.macro_step_s = macro_step_s, .growth = Growth{.kind = kind}};
  };
  using enum GrowthKind;
  const std::array points{point(1, stable), point(2, stable), point(3, within_session),
                          point(4, stable)};
  CHECK(largest_stable_s(points) == 2.0);
  CHECK(!largest_stable_s(std::span(points).subspan(2)));
  CHECK(!is_stable_at_all(points));
  CHECK(is_stable_at_all(std::span(points).first(2)));
  CHECK(!is_stable_at_all(std::array{point(1, stable), AnalysisPoint{.macro_step_s = 2}}));
}

TEST_CASE("the largest accurate macro-step and the orders are those of the points") {
  std::vector<AnalysisPoint> points;
  for (const double h : {1e-3, 2e-3, 4e-3, 8e-3, 16e-3, 32e-3}) {
    // Order 2 up to 16 ms, and far from it beyond.
    points.push_back({.macro_step_s = h,
                      .local_error = h > 0.02 ? 1 : 1e3 * h * h * h,
                      .global_error = h > 0.02 ? 1 : 1e2 * h * h});
  }
  CHECK(largest_accurate_s(points) == 8e-3);  // 0.64 %, and 2.6 % at 16 ms
  CHECK(*convergence_order(points, &AnalysisPoint::local_error) == doctest::Approx(3));
  CHECK(*convergence_order(points, &AnalysisPoint::global_error) == doctest::Approx(2));
  points.resize(1);
  CHECK(!convergence_order(points, &AnalysisPoint::local_error));
}

TEST_CASE("errors up to an earlier end are those under the same input") {
  // A step comes at half of its test, 1 s: before that there is nothing but free motion.
  const auto plan = plan_of("linear_oscillator");
  const auto configuration = with(plan, Extrapolation::order_1);
  const auto until = [&](const char* name, std::optional<double> until_s) {
    const auto test = std::ranges::find(plan.job.tests, name, &TestInput::name);
    REQUIRE(test != plan.job.tests.end());
    const auto error = error_at_every_phase(plan, configuration, *test, 1e-3, nullptr, until_s);
    const auto point = analyse_point(
        plan, {.configuration = &configuration, .test = &*test, .until_s = until_s}, 1e-3);
    REQUIRE(error.nrmse);
    CHECK(point.global_error == error.nrmse);
    return std::pair(*error.nrmse, point.local_error.value());
  };
  const auto [global, local] = until("step", 0.8);
  const auto [free_global, free_local] = until("none", 0.8);
  CHECK(global == doctest::Approx(free_global).epsilon(1e-9));
  CHECK(local == doctest::Approx(free_local).epsilon(1e-9));
  CHECK(until("step", 1.2) != until("none", 1.2));
  CHECK(until("step", 2) == until("step", std::nullopt));
}
