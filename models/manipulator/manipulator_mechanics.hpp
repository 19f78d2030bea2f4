// Mechanics of the hydraulic manipulator (Rodríguez et al. 2022, section 4.4): the arm of
// crane/two_link_arm.hpp, lifted by an actuator between the fixed point B and the middle of link 1.
//
//   M(θ) θ̈ + C(θ, θ̇) = G(θ) + (f − c_m ṡ) ∂s/∂θ,   s² = L²/4 + |B|² − L (x_B cos θ1 + y_B sin θ1)
//
// State [θ1, θ2, θ̇1, θ̇2]. Input f [N], positive when pushing; outputs s, s_dot, s_ddot, energy.
// c_m = 0 if f is the whole force of the actuator (force–displacement), and its viscous coefficient
// if f is the force of the pressures alone (pressure–displacement).
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/crane/two_link_arm.hpp"
#include "models/integrators/dynamics.hpp"
#include "models/integrators/integrator.hpp"
#include "models/integrators/ode_subsystem.hpp"
#include "models/subsystem/parameter.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// The crane's own, as it is the same arm.
struct ManipulatorMechanicsParameters : TwoLinkArmParameters {};

std::span<const Parameter<ManipulatorMechanicsParameters>> manipulator_mechanics_parameters();

/// Errors of the values and of the geometry they give, such as an actuator of no length.
std::vector<ParameterError> check(const ManipulatorMechanicsParameters& parameters);

/// Length of the actuator and the force that holds the arm, at rest in its initial position.
struct ManipulatorEquilibrium {
  double length_m = 0;
  double force_n = 0;
};

class ManipulatorMechanics {
 public:
  static constexpr int input_count = 1;
  static constexpr int external_count = 0;
  static constexpr int dof = 2;
  using State = Eigen::Vector4d;
  using Forcing = models::Forcing<input_count, external_count>;

  explicit ManipulatorMechanics(const ManipulatorMechanicsParameters& parameters,
                                double viscous_coefficient_ns_per_m = 0);

  Description description() const;
  ManipulatorEquilibrium equilibrium() const;
  State initial_state() const { return initial_state_; }
  State nominal_state() const { return {1, 1, 1, 1}; }
  State derivatives(const State& state, const Forcing& forcing) const;
  Eigen::Matrix4d jacobian(const State& state, const Forcing& forcing) const;
  auto newton(const Forcing& forcing, double gamma) const;
  void outputs(const State& state, const Forcing& forcing, std::span<double> y) const;

 private:
  /// Everything that follows from the state and the force.
  struct Motion {
    TwoLinkArm::Pose pose;
    AngularLength s;
    double along;  ///< force along the actuator, its viscous one included
    TwoLinkArm::Angles acceleration;
  };
  Motion motion(const State& x, double force) const {
    const auto pose = TwoLinkArm::pose(x.head<2>());
    const auto s = length_to_middle(link_1_, pivot_x_, pivot_y_, pose.theta_1);
    const double along = force - viscous_ * s.slope * x[2];
    return {pose, s, along, arm_.accelerations(pose, x.tail<2>(), {along * s.slope, 0})};
  }
  /// M ∂θ̈/∂(θ, θ̇).
  TwoLinkArm::Slopes force_slopes(const State& x, const Motion& at) const {
    TwoLinkArm::Slopes torque = TwoLinkArm::Slopes::Zero();
    torque(0, 0) = at.along * at.s.curvature - viscous_ * at.s.curvature * x[2] * at.s.slope;
    torque(0, 2) = -viscous_ * at.s.slope * at.s.slope;
    return arm_.force_slopes(at.pose, x.tail<2>(), at.acceleration, torque);
  }

  State initial_state_;
  TwoLinkArm arm_;
  double link_1_, pivot_x_, pivot_y_, viscous_;
};

/// Integrators: symplectic_euler, rk4, trapezoidal, cvode.
std::span<const Integrator> manipulator_mechanics_integrators();

std::unique_ptr<Subsystem> make_manipulator_mechanics(
    const ManipulatorMechanicsParameters& parameters, double viscous_coefficient_ns_per_m,
    Integrator integrator, std::optional<double> micro_step_s);

Dynamics manipulator_mechanics_dynamics(const ManipulatorMechanicsParameters& parameters,
                                        double viscous_coefficient_ns_per_m);

// The functions of the micro-step loop, here so that steppers inline them.

inline ManipulatorMechanics::State ManipulatorMechanics::derivatives(const State& x,
                                                                     const Forcing& forcing) const {
  const auto acceleration = motion(x, forcing.u[0]).acceleration;
  return {x[2], x[3], acceleration[0], acceleration[1]};
}

/// With M θ̈ = F(θ, θ̇) and Δθ = r_θ + γ Δθ̇, what is left of the equations (steppers.hpp) is
///   [M − γ (∂F/∂θ̇ + γ ∂F/∂θ)] Δθ̇ = M r_θ̇ + γ ∂F/∂θ r_θ,   slopes at constant θ̈.
inline auto ManipulatorMechanics::newton(const Forcing& forcing, double gamma) const {
  return [this, force = forcing.u[0], gamma](const State& x, const State& known) -> State {
    using Eigen::Matrix2d;
    using Eigen::Vector2d;
    const auto at = motion(x, force);
    const auto slopes = force_slopes(x, at);
    const Matrix2d by_angle = slopes.leftCols<2>();
    const Matrix2d mass = arm_.mass_matrix(at.pose);
    const Matrix2d left = mass - gamma * (slopes.rightCols<2>() + gamma * by_angle);
    const Vector2d r_angle = known.head<2>() + gamma * x.tail<2>() - x.head<2>();
    const Vector2d r_rate = known.tail<2>() + gamma * at.acceleration - x.tail<2>();
    const Vector2d right = mass * r_rate + gamma * (by_angle * r_angle);
    const double inverse = 1 / (left(0, 0) * left(1, 1) - left(0, 1) * left(1, 0));
    const Vector2d rate(inverse * (left(1, 1) * right[0] - left(0, 1) * right[1]),
                        inverse * (left(0, 0) * right[1] - left(1, 0) * right[0]));
    const Vector2d angle = r_angle + gamma * rate;
    return {angle[0], angle[1], rate[0], rate[1]};
  };
}

inline void ManipulatorMechanics::outputs(const State& x, const Forcing& forcing,
                                          std::span<double> y) const {
  const auto at = motion(x, forcing.u[0]);
  y[0] = at.s.length;
  y[1] = at.s.slope * x[2];
  y[2] = at.s.curvature * x[2] * x[2] + at.s.slope * at.acceleration[0];
  y[3] = arm_.energy_j(at.pose, x.tail<2>());
}

}  // namespace macrostep::models
