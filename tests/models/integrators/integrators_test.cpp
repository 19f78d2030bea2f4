// One suite over every integrator of every model with a known solution.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "models/integrators/integrator.hpp"
#include "models/oscillator/oscillator.hpp"
#include "models/pipe_volume/pipe_volume.hpp"

using namespace macrostep::models;

namespace {

/// Order of the error in h; exact and CVODE have none: their error is rounding, or a tolerance.
double order_of(Integrator integrator) {
  switch (integrator) {
    case Integrator::trapezoidal:
      return 2;
    case Integrator::rk4:
      return 4;
    case Integrator::exact:
    case Integrator::cvode:
      return 0;
    default:
      return 1;
  }
}

/// Output 0 after one second in `steps` macro-steps with the input c0 + c1 t.
double end_value(Subsystem& subsystem, int steps, double c0, double c1) {
  const std::array<ExternalSignal, 1> none{};
  subsystem.start(0, none);
  const double h = 1.0 / steps;
  std::vector<InputPolynomial> inputs(subsystem.describe().inputs.size());
  for (int n = 0; n < steps; ++n) {
    inputs[0] = {{c0 + c1 * n * h, c1 * h}};
    REQUIRE(subsystem.step({.index = n, .start_s = n * h, .size_s = h}, {inputs, 1}).status ==
            StepStatus::ok);
  }
  std::vector<double> u(inputs.size());
  std::vector<double> y(subsystem.describe().outputs.size());
  subsystem.outputs(1, u, y);
  return y[0];
}

/// Halving h divides the error by 2^order up to a relative O(h): 5 % at these steps.
template <class Make>
void check_order(Integrator integrator, const Make& make, int steps, double c0, double c1,
                 double expected) {
  CAPTURE(to_string(integrator));
  const auto error = [&](int count) {
    const auto subsystem = make(integrator);
    REQUIRE(subsystem);
    return std::abs(end_value(*subsystem, count, c0, c1) - expected);
  };
  const double order = order_of(integrator);
  if (order == 0) {
    CHECK(error(steps) < 1e-11 * (1 + std::abs(expected)));
    CHECK(error(1) < 1e-11 * (1 + std::abs(expected)));
  } else {
    CHECK(std::log2(error(steps) / error(2 * steps)) == doctest::Approx(order).epsilon(0.05));
  }
}

}  // namespace

TEST_CASE("every integrator of a linear mass shows its declared order") {
  // ẍ + 0.4 ẋ + 4 x = 1 + 2 t from (1, 3): x = p0 + t/2 + e^(−0.2t) (a cos ωt + b sin ωt) with
  // p0 = (1 − 0.4/2)/4, ω² = 4 − 0.04, a = 1 − p0, b = (3 − 1/2 + 0.2 a)/ω. The force comes as
  // f_in, or as the motion of the other end of the spring.
  const double omega = std::sqrt(4 - 0.04);
  const double p0 = 0.2;
  const double a = 1 - p0;
  const double b = (2.5 + 0.2 * a) / omega;
  const double expected = p0 + 0.5 + std::exp(-0.2) * (a * std::cos(omega) + b * std::sin(omega));
  const MassParameters mass{
      .stiffness_n_per_m = 4, .damping_ns_per_m = 0.4, .position_m = 1, .velocity_m_per_s = 3};
  MassSetup owner{.mass = mass, .coupling = {.stiffness_n_per_m = 1}, .role = MassRole::owner};
  owner.mass.stiffness_n_per_m = 3;
  MassSetup displacement = owner;
  displacement.role = MassRole::displacement;
  for (const auto& setup :
       {MassSetup{.mass = mass}, MassSetup{.mass = mass, .forces = 3}, owner, displacement}) {
    for (const auto integrator : mass_integrators(setup)) {
      check_order(
          integrator, [&](Integrator name) { return make_mass(setup, name, std::nullopt); }, 100, 1,
          2, expected);
    }
  }
}

TEST_CASE("every integrator of a nonlinear mass shows its declared order") {
  // n_s = 2 and n_d = 1.5 are smooth away from 0, and x and v stay away from it. Truth: CVODE at
  // 1e-14.
  const MassSetup setup{.mass = {.stiffness_n_per_m = 0.2,
                                 .damping_ns_per_m = 0.3,
                                 .position_m = 1,
                                 .velocity_m_per_s = 4,
                                 .spring_exponent = 2,
                                 .damper_exponent = 1.5}};
  const auto make = [&](Integrator name) { return make_mass(setup, name, std::nullopt); };
  const double truth = end_value(*make(Integrator::cvode), 1, 3, 1);
  CHECK(make(Integrator::exact) == nullptr);
  for (const auto integrator : mass_integrators(setup)) {
    check_order(integrator, make, 100, 3, 1, truth);
  }
}

TEST_CASE("every integrator of a pipe and volume shows its declared order") {
  // 2 rad/s, ζ = 0.1, leak 0.5/s, as the mass above in other words: the pressure equation of the
  // left one under f_2 = 1 + 2 t. Truth: exact in one step, whose own test is against the
  // exponential.
  const PipeVolumeParameters parameters{.frequency_rad_per_s = 2,
                                        .pipe_damping_ratio = 0.1,
                                        .decay = 4,
                                        .impedance_pa_s_per_m3 = 1e3};
  const auto make = [&](Integrator name) {
    return make_pipe_volume(parameters, PipeVolumeSide::left, name, std::nullopt);
  };
  const double truth = end_value(*make(Integrator::exact), 1, 1, 2);
  for (const auto integrator : pipe_volume_integrators()) {
    check_order(integrator, make, 100, 1, 2, truth);
  }
}

TEST_CASE("symplectic Euler keeps the energy of an oscillation bounded, forward Euler does not") {
  // It keeps v² + ω² x² − h ω² x v exactly: the energy swings by ωh/2 of itself, 1.6 % at
  // ω² = 1000 and h = 1 ms, however long. Forward Euler grows by (ωh)² a step.
  const auto swing = [](Integrator integrator) {
    const auto mass = make_mass({.mass = {.stiffness_n_per_m = 1000}}, integrator, std::nullopt);
    const std::array<ExternalSignal, 1> externals{};
    mass->start(0, externals);
    const std::array<InputPolynomial, 1> none{};
    std::array<double, 3> y{};
    double worst = 0;
    for (int n = 0; n < 100000; ++n) {
      mass->step({.index = n, .start_s = n * 1e-3, .size_s = 1e-3}, {none, 0});
      mass->outputs(0, std::array{0.0}, y);
      worst = std::max(worst, std::abs(y[2] / 5000 - 1));
    }
    return worst;
  };
  const double half_angle = std::sqrt(1000) * 1e-3 / 2;
  CHECK(swing(Integrator::symplectic_euler) == doctest::Approx(half_angle).epsilon(0.05));
  CHECK(swing(Integrator::forward_euler) > 1e6);
}
