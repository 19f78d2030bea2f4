#include "models/crane/crane_dynamics.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "models/crane/augmented_lagrangian.hpp"
#include "models/crane/two_link_arm.hpp"
#include "models/hydraulic_actuator/hydraulic_actuator.hpp"

using namespace macrostep::models;

namespace {

/// The dependent coordinates of the constrained formulation for the same angles and rates.
CraneState constrained(const CraneParameters& p, const Eigen::Vector4d& x) {
  const double qx = p.link_1_length_m * std::cos(x[0]);
  const double qy = p.link_1_length_m * std::sin(x[0]);
  const double rx = p.link_2_length_m * std::cos(x[1]);
  const double ry = p.link_2_length_m * std::sin(x[1]);
  CraneState state;
  state.q = CraneVector(qx / 2, qy / 2, x[0], qx + rx, qy + ry);
  state.v = CraneVector(-qy * x[2] / 2, qx * x[2] / 2, x[2], -qy * x[2] - ry * x[3],
                        qx * x[2] + rx * x[3]);
  return state;
}

Eigen::Vector4d rate(const Dynamics& dynamics, const Eigen::Vector4d& x,
                     std::span<const double> f) {
  Eigen::Vector4d result;
  dynamics.derivatives({x.data(), 4}, f, {}, {result.data(), 4});
  return result;
}

}  // namespace

TEST_CASE("the crane in angles moves as the constrained one does") {
  // Independent derivations of one mechanism: outputs agree to rounding, magnified by the penalty
  // iteration's own tolerance (1e-10 of the accelerations).
  std::mt19937 random(4);
  std::uniform_real_distribution<double> share(-1, 1);
  for (int actuators = 1; actuators <= 2; ++actuators) {
    const CraneParameters p{{.pivot_y_m = -0.1}};
    const CraneMechanics crane(p, actuators);
    const auto dynamics = crane_dynamics(p, actuators);
    const auto forces_given = static_cast<std::size_t>(actuators);
    for (int trial = 0; trial < 50; ++trial) {
      const Eigen::Vector4d x(0.6 + 0.5 * share(random), 4.7 + 0.9 * share(random),
                              2 * share(random), 2 * share(random));
      const CraneForces f{1e4 * share(random), 5e3 * share(random)};
      auto state = constrained(p, x);
      std::int64_t evaluations = 0;
      REQUIRE(solve_accelerations(crane, f, state, evaluations));
      std::array<double, 6> y{};
      dynamics.outputs({x.data(), 4}, std::span(f).first(forces_given), {},
                       std::span(y).first(3 * forces_given));
      for (int i = 0; i < actuators; ++i) {
        const auto motion = crane.motion(state, i);
        const auto first = static_cast<std::size_t>(3 * i);
        CHECK(y[first] == doctest::Approx(motion.s).epsilon(1e-12));
        CHECK(y[first + 1] == doctest::Approx(motion.s_dot).epsilon(1e-11));
        CHECK(std::abs(y[first + 2] - motion.s_ddot) < 1e-7 * (1 + std::abs(motion.s_ddot)));
      }
      const auto x_dot = rate(dynamics, x, std::span(f).first(forces_given));
      CHECK(x_dot[2] == doctest::Approx(state.a[2]).epsilon(1e-7));
    }
  }
}

TEST_CASE("the crane in angles rests under its holding forces") {
  for (const double theta_2 : {3 * std::numbers::pi / 2, 4.2}) {
    const CraneParameters p{{.theta_2_rad = theta_2}};
    const auto dynamics = crane_dynamics(p, 2);
    const auto forces = CraneMechanics(p, 2).equilibrium().forces_n;
    const Eigen::Vector4d x = dynamics.initial_state;
    CHECK(rate(dynamics, x, forces).cwiseAbs().maxCoeff() < 1e-10);
  }
}

TEST_CASE("the crane and its actuator rest as one system") {
  // What a reference solution couples: outputs of each are the inputs of the other.
  const CraneParameters p;
  const auto rest = CraneMechanics(p, 1).equilibrium();
  const auto mechanics = crane_dynamics(p, 1);
  const auto hydraulics = dynamics_of(
      HydraulicActuator({}, {.length_m = rest.lengths_m[0], .force_n = rest.forces_n[0]}));
  const Eigen::Vector4d arm = mechanics.initial_state;
  const Eigen::Vector4d fluid = hydraulics.initial_state;
  const std::array no_voltage{0.0};
  std::array<double, 3> motion{};
  const std::array no_force{0.0};
  mechanics.outputs({arm.data(), 4}, no_force, {}, motion);  // s and s_dot need no force
  std::array<double, 1> force{};
  hydraulics.outputs({fluid.data(), 4}, std::span(motion).first(2), no_voltage, force);
  CHECK(force[0] == doctest::Approx(8829).epsilon(1e-12));
  CHECK(rate(mechanics, arm, force).cwiseAbs().maxCoeff() < 1e-10);
  Eigen::Vector4d pressures;
  hydraulics.derivatives({fluid.data(), 4}, std::span(motion).first(2), no_voltage,
                         {pressures.data(), 4});
  CHECK(pressures.cwiseAbs().maxCoeff() < 1e-3);  // of pressures of 1e6 Pa
}

TEST_CASE("I1AL converges to the crane in angles with h²") {
  // Free swing under constant forces. The classical Runge–Kutta method at 0.5 ms errs by h⁴, far
  // below the trapezoidal rule's h².
  const CraneParameters p;
  const CraneMechanics crane(p, 2);
  const CraneForces f{9500, 400};
  const auto dynamics = crane_dynamics(p, 2);
  constexpr double duration_s = 0.5;

  Eigen::Vector4d x = dynamics.initial_state;
  constexpr int steps = 1000;
  constexpr double h = duration_s / steps;
  for (int i = 0; i < steps; ++i) {
    const auto k1 = rate(dynamics, x, f);
    const auto k2 = rate(dynamics, x + h / 2 * k1, f);
    const auto k3 = rate(dynamics, x + h / 2 * k2, f);
    const auto k4 = rate(dynamics, x + h * k3, f);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const auto reference = constrained(p, x);

  const auto error_m = [&](int count) {
    CraneState state = crane.initial_state();
    std::int64_t evaluations = 0;
    REQUIRE(solve_accelerations(crane, f, state, evaluations));
    for (int i = 0; i < count; ++i) {
      REQUIRE(I1al::advance(crane, f, duration_s / count, state, evaluations));
    }
    return (state.q - reference.q).norm();
  };
  const double coarse = error_m(500);
  const double fine = error_m(1000);
  CHECK(fine < 1e-5);
  CHECK(std::log2(coarse / fine) == doctest::Approx(2).epsilon(0.05));
}

TEST_CASE("an actuator's slope and curvature are the derivatives of its length") {
  constexpr double epsilon = 1e-6;
  const auto check_at = [](auto length, double angle) {
    const auto here = length(angle);
    const auto ahead = length(angle + epsilon);
    const auto behind = length(angle - epsilon);
    CHECK(here.slope == doctest::Approx((ahead.length - behind.length) / (2 * epsilon)));
    CHECK(here.curvature == doctest::Approx((ahead.slope - behind.slope) / (2 * epsilon)));
  };
  check_at([](double angle) { return length_to_middle(1.2, 0.8, -0.3, sin_cos(angle)); }, 0.7);
  check_at([](double angle) { return length_between_middles(1.2, 0.5, sin_cos(angle)); }, -2.1);
}

TEST_CASE("the arm alone conserves energy, and its slopes are derivatives") {
  const auto arm = TwoLinkArm::of(CraneParameters{});
  const TwoLinkArm::Angles theta(0.7, 4.9), speed(0.8, -1.7), none(0, 0);
  // Along the motion, Ė = ∂E/∂θ·θ̇ + ∂E/∂θ̇·θ̈ = 0, by central differences.
  constexpr double epsilon = 1e-6;
  using Angles = TwoLinkArm::Angles;
  const auto acceleration_at = [&](const Angles& angles, const Angles& rates) {
    return arm.accelerations(TwoLinkArm::pose(angles), rates, none);
  };
  const auto energy_at = [&](const Angles& angles, const Angles& rates) {
    return arm.energy_j(TwoLinkArm::pose(angles), rates);
  };
  const Angles acceleration = acceleration_at(theta, speed);
  const double later = energy_at(theta + epsilon * speed, speed + epsilon * acceleration);
  const double earlier = energy_at(theta - epsilon * speed, speed - epsilon * acceleration);
  CHECK(std::abs(later - earlier) / (2 * epsilon) < 1e-5 * arm.weight_1);

  const auto pose = TwoLinkArm::pose(theta);
  const auto slopes = arm.accelerations_of(
      pose, arm.force_slopes(pose, speed, acceleration, TwoLinkArm::Slopes::Zero()));
  for (int k = 0; k < 2; ++k) {
    const Angles step = epsilon * Angles::Unit(k);
    const Angles by_angle =
        (acceleration_at(theta + step, speed) - acceleration_at(theta - step, speed)) /
        (2 * epsilon);
    const Angles by_rate =
        (acceleration_at(theta, speed + step) - acceleration_at(theta, speed - step)) /
        (2 * epsilon);
    CHECK((slopes.col(k) - by_angle).norm() < 1e-7);
    CHECK((slopes.col(k + 2) - by_rate).norm() < 1e-7);
  }
}
