#include "models/integrators/steppers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "models/integrators/dynamics.hpp"
#include "models/integrators/ode_subsystem.hpp"

using namespace macrostep::models;

namespace {

/// q'' = 2 q³ + u − w with q(0) = 1/2, q'(0) = 1/4: q = 1/(2 − t) where u = w.
struct Blowup {
  static constexpr int input_count = 1;
  static constexpr int external_count = 1;
  static constexpr int dof = 1;
  using State = Eigen::Vector2d;
  using Forcing = macrostep::models::Forcing<input_count, external_count>;

  State initial_state() const { return {0.5, 0.25}; }
  State nominal_state() const { return {1, 1}; }
  State derivatives(const State& x, const Forcing& at) const {
    return {x[1], 2 * std::pow(x[0], 3) + at.u[0] - at.w[0]};
  }
  Eigen::Matrix2d jacobian(const State& x, const Forcing&) const {
    return Eigen::Matrix2d{{0, 1}, {6 * x[0] * x[0], 0}};
  }
  void outputs(const State& x, const Forcing&, std::span<double> y) const { y[0] = x[0]; }
  Description description() const {
    return {.inputs = {{"u", "1"}},
            .outputs = {{"q", "1", 1, {}}},
            .externals = {{"w", "1"}},
            .rhs_weight = 1};
  }
};

/// Error of q(1) with `steps` macro-steps of two micro-steps each, under u = w = 3 t.
template <class Stepper>
double error_at_1(int steps) {
  const double h = 1.0 / steps;
  OdeSubsystem<Blowup, Stepper> subsystem(Blowup{}, h / 2);
  const std::array externals{
      ExternalSignal{Signal{.base = 0, .peak = 3, .begin_s = 0, .full_s = 1}}};
  subsystem.start(0, externals);
  for (int i = 0; i < steps; ++i) {
    const std::array inputs{InputPolynomial{{3 * i * h, 3 * h}}};
    const auto result = subsystem.step({.index = i, .start_s = i * h, .size_s = h}, {inputs, 1});
    REQUIRE(result.status == StepStatus::ok);
  }
  std::array<double, 1> y{};
  subsystem.outputs(1, std::array{3.0}, y);
  return std::abs(y[0] - 1);
}

template <class Stepper>
constexpr double declared_order = 1;
template <>
constexpr double declared_order<Trapezoidal> = 2;
template <>
constexpr double declared_order<Rk4> = 4;

/// x'' = −sgn(x)·√|x|, the slope capped as the steppers want it.
struct RootSpring : Blowup {
  State derivatives(const State& x, const Forcing&) const {
    return {x[1], -std::copysign(std::sqrt(std::abs(x[0])), x[0])};
  }
  Eigen::Matrix2d jacobian(const State& x, const Forcing&) const {
    return Eigen::Matrix2d{{0, 1}, {-0.5 / std::sqrt(std::max(std::abs(x[0]), 1e-8)), 0}};
  }
};

/// A stiff, damped mass with a load that is far larger than what the input changes.
struct LoadedMass {
  static constexpr int input_count = 1;
  static constexpr int external_count = 1;
  static constexpr bool affine = true;
  using State = Eigen::Vector2d;
  using Forcing = macrostep::models::Forcing<input_count, external_count>;

  State nominal_state() const { return {1, 1}; }
  State derivatives(const State& x, const Forcing& at) const {
    const double above = at.u[0] - 1e6;
    return {x[1] + 2 * above, 3 * above + 0.5 * at.w[0] - 400 * x[0] - 5 * x[1]};
  }
  Eigen::Matrix2d jacobian(const State&, const Forcing&) const {
    return Eigen::Matrix2d{{0, 1}, {-400, -5}};
  }
};

}  // namespace

TEST_CASE_TEMPLATE("a stepper shows its declared order", Stepper, ForwardEuler, SymplecticEuler,
                   Trapezoidal, Rk4) {
  // Halving h divides the error by 2^order up to a relative O(h); 200 and 400 steps keep the error
  // of order 4 (1e-11) above the rounding of 400 sums of numbers near 1 (1e-14).
  const double order = std::log2(error_at_1<Stepper>(200) / error_at_1<Stepper>(400));
  CHECK(order == doctest::Approx(declared_order<Stepper>).epsilon(0.02));
}

TEST_CASE("the trapezoidal rule passes through the rest of a square-root spring") {
  // Steps of many sizes land at many distances from x = 0, where the slope is infinite.
  const RootSpring model;
  const auto forcing = [](double) { return RootSpring::Forcing{}; };
  for (int i = 1; i <= 400; ++i) {
    const double h = 0.0005 * i;
    RootSpring::State x(0, 1);
    std::int64_t evaluations = 0;
    for (int k = 0; k < 200; ++k) {
      CAPTURE(h);
      REQUIRE(Trapezoidal::advance(model, forcing, h, x, evaluations));
    }
  }
}

TEST_CASE("the trapezoidal rule of an affine model solves the same equations without iterations") {
  const LoadedMass model;
  constexpr double h = 0.02;
  AffineTrapezoidal<LoadedMass> stepper;
  stepper.prepare(model, h);
  LoadedMass::State direct(1, 0), iterated = direct;
  std::int64_t evaluations = 0;
  for (int k = 0; k < 200; ++k) {
    const auto forcing = [&](double c) {
      const double t = (k + c) * h;
      return LoadedMass::Forcing{{1e6 + std::sin(7 * t)}, {t}};
    };
    const auto driven = [&](double c) { return stepper.driven(forcing(c)); };
    REQUIRE(stepper.advance(model, driven, h, direct, evaluations));
    REQUIRE(Trapezoidal::advance(model, forcing, h, iterated, evaluations));
    // The load of 3e6 cancels against the input to 16 digits: 1e-9 of force, 2e-11 of the velocity
    // in a step, which the damping keeps from adding up.
    CHECK((direct - iterated).norm() < 1e-9);
  }
  CHECK(iterated.norm() > 1e-2);
}

TEST_CASE("the plain functions of a model are the model's own") {
  const auto dynamics = dynamics_of(Blowup{});
  CHECK(dynamics.initial_state == Blowup{}.initial_state());
  CHECK(dynamics.nominal_state == Blowup{}.nominal_state());
  CHECK_FALSE(dynamics.linear);
  std::array<double, 2> rate{};
  dynamics.derivatives(std::array{2.0, 5.0}, std::array{3.0}, std::array{4.0}, rate);
  CHECK(rate == std::array{5.0, 15.0});
  std::array<double, 1> y{};
  dynamics.outputs(std::array{2.0, 5.0}, std::array{3.0}, std::array{4.0}, y);
  CHECK(y[0] == 2);
}
