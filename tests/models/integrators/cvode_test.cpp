#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/integrators/cvode_solver.hpp"
#include "models/oscillator/oscillator.hpp"
#include "tests/allocation_count.hpp"

using namespace macrostep::models;

namespace {

/// ẍ = −x: from (1, 0), x = cos t.
void circle(double, std::span<const double> x, std::span<double> rate) {
  rate[0] = x[1];
  rate[1] = -x[0];
}

constexpr std::array<double, 2> start{1, 0};

CvodeSettings settings(CvodeMethod method, double tolerance) {
  return {.method = method,
          .relative_tolerance = tolerance,
          .absolute_tolerance = {tolerance, tolerance}};
}

}  // namespace

TEST_CASE("CVODE follows a circle as closely as it is told") {
  // The error over ten radians is the sum of some hundred local ones: below 1000 tolerances.
  for (const auto method : {CvodeMethod::bdf, CvodeMethod::adams}) {
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
      CvodeSolver solver(&circle, 2, settings(method, tolerance));
      std::array x = start;
      solver.restart(0, x);
      for (int i = 1; i <= 10; ++i) {
        REQUIRE(solver.advance_to(i, x));
        CHECK(std::abs(x[0] - std::cos(i)) < 1000 * tolerance);
      }
      CHECK(solver.first_step_s() > 0);
    }
  }
}

TEST_CASE("CVODE does not look beyond the time it goes to, or the limit it is given") {
  double latest_s = 0;
  const auto watched = [&](double time_s, auto x, auto rate) {
    latest_s = std::max(latest_s, time_s);
    circle(time_s, x, rate);
  };
  CvodeSolver solver(watched, 2, settings(CvodeMethod::adams, 1e-10));
  std::array x = start;
  solver.restart(0, x);
  REQUIRE(solver.advance_to(1, x));
  CHECK(latest_s <= 1);
  const auto evaluations = solver.rhs_evaluations();
  solver.set_limit(10);
  for (int i = 1; i <= 900; ++i) {  // interpolated: steps are longer than these
    REQUIRE(solver.advance_to(1 + 0.01 * i, x));
    CHECK(std::abs(x[0] - std::cos(1 + 0.01 * i)) < 1e-7);
  }
  CHECK(latest_s > 9);
  CHECK(latest_s <= 10);
  CHECK(solver.rhs_evaluations() - evaluations < 900);
}

TEST_CASE("a Jacobian that is given is used") {
  const auto stiff = [](double, std::span<const double> x, std::span<double> rate) {
    rate[0] = -1e6 * (x[0] - std::cos(x[1]));
    rate[1] = 1;
  };
  int uses = 0;
  const auto jacobian = [&](double, std::span<const double> x, std::span<double> entries) {
    ++uses;
    entries[0] = -1e6;
    entries[1] = 0;
    entries[2] = -1e6 * std::sin(x[1]);
    entries[3] = 0;
  };
  for (const bool given : {true, false}) {
    CvodeSolver solver(stiff, 2, settings(CvodeMethod::bdf, 1e-8),
                       given ? CvodeSolver::Jacobian(jacobian) : nullptr);
    std::array x = start;
    solver.restart(0, x);
    REQUIRE(solver.advance_to(2, x));
    // The fast state lags its target by its time constant, 1e-6 s.
    CHECK(std::abs(x[0] - std::cos(2.0)) < 2e-6);
    CHECK(solver.rhs_evaluations() < 2000);
  }
  CHECK(uses > 0);
}

TEST_CASE("what CVODE cannot do is a failure and what it is not given an exception") {
  const auto blowup = [](double, std::span<const double> x, std::span<double> rate) {
    rate[0] = x[0] * x[0];  // 1/(1 − t)
  };
  CvodeSolver solver(blowup, 1, {.absolute_tolerance = {1e-8}, .max_steps_per_advance = 10000});
  std::array<double, 1> x{1};
  solver.restart(0, x);
  REQUIRE(solver.advance_to(0.5, x));
  CHECK(x[0] == doctest::Approx(2).epsilon(1e-6));
  CHECK_FALSE(solver.advance_to(2, x));
  x[0] = -1;  // −1/(1 + t)
  solver.restart(0, x);
  REQUIRE(solver.advance_to(1, x));
  CHECK(x[0] == doctest::Approx(-0.5).epsilon(1e-6));
  CHECK_THROWS_AS(CvodeSolver(blowup, 1, {}), std::runtime_error);
  CHECK_THROWS_AS(CvodeSolver(blowup, 1, {.absolute_tolerance = {-1}}), std::runtime_error);
}

TEST_CASE("a mass integrated by CVODE keeps its energy over ten seconds") {
  // 10⁴ starts with some 20 steps each, every step within 1e-14: were all errors alike they would
  // add up to 2e-9. They are not, and stay below 1e-9.
  for (const double stiffness : {110.0, 1000.0}) {
    for (const int steps : {1000, 10000}) {
      const auto mass =
          make_mass({.mass = {.stiffness_n_per_m = stiffness}}, Integrator::cvode, std::nullopt);
      const std::array<ExternalSignal, 1> externals{};
      mass->start(0, externals);
      const std::array<InputPolynomial, 1> none{};
      const double h = 10.0 / steps;
      std::array<double, 3> y{};
      double worst = 0;
      for (int n = 0; n < steps; ++n) {
        REQUIRE(mass->step({.index = n, .start_s = n * h, .size_s = h}, {none, 0}).status ==
                StepStatus::ok);
        mass->outputs(0, std::array{0.0}, y);
        worst = std::max(worst, std::abs(y[2] / 5000 - 1));
      }
      CAPTURE(stiffness);
      CAPTURE(steps);
      CHECK(worst < 1e-9);
    }
  }
}

TEST_CASE("a CVODE step sees events where they are, can be taken back and allocates nothing") {
  const MassSetup setup{.mass = {.stiffness_n_per_m = 4, .position_m = 1, .velocity_m_per_s = 0}};
  const std::array externals{
      ExternalSignal{{.base = 0, .peak = 8, .begin_s = 0.3, .full_s = 0.3, .end_s = 0.9}, {}}};
  const std::array inputs{InputPolynomial{{1, 0.5}}};
  const auto position = [&](Integrator integrator) {
    const auto mass = make_mass(setup, integrator, std::nullopt);
    mass->start(0, externals);
    std::array<double, 3> first{};
    std::array<double, 3> again{};
    SavedState saved;
    mass->save(saved);
    const auto allocations = macrostep::tests::allocation_count();
    mass->step({.start_s = 0, .size_s = 0.5}, {inputs, 1});
    mass->save(saved);
    mass->step({.index = 1, .start_s = 0.5, .size_s = 1}, {inputs, 1});
    mass->outputs(1.5, std::array{0.0}, first);
    mass->restore(saved);
    mass->step({.index = 1, .start_s = 0.5, .size_s = 1}, {inputs, 1});
    mass->outputs(1.5, std::array{0.0}, again);
    CHECK(macrostep::tests::allocation_count() == allocations);
    CHECK(first == again);
    return first[0];
  };
  CHECK(position(Integrator::cvode) == doctest::Approx(position(Integrator::exact)).epsilon(1e-11));
}

TEST_CASE("CVODE integrates the nonlinear and the stiffest masses") {
  auto oscillator = nonlinear_oscillator();
  oscillator.coupling.damping_ns_per_m = 0.01;
  MassSetup root{
      .mass = oscillator.masses[0], .coupling = oscillator.coupling, .role = MassRole::owner};
  auto stiff = stiff_oscillator();
  stiff.coupling = {.stiffness_n_per_m = 1e10, .damping_ns_per_m = 1e7};
  MassSetup stiffest{.mass = stiff.masses[1], .coupling = stiff.coupling, .role = MassRole::owner};
  for (const auto& setup : {root, stiffest}) {
    const auto mass = make_mass(setup, Integrator::cvode, std::nullopt);
    const std::array<ExternalSignal, 1> externals{};
    mass->start(0, externals);
    const std::array<InputPolynomial, 2> none{};
    for (int n = 0; n < 50; ++n) {
      REQUIRE(mass->step({.index = n, .start_s = n * 1e-3, .size_s = 1e-3}, {none, 0}).status ==
              StepStatus::ok);
    }
  }
}
