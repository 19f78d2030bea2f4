// GCC 12 sees a null pointer in the copy of no external inputs, which has nothing to copy.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wnonnull"
#endif

#include "models/manipulator/manipulator_mechanics.hpp"

#include <array>
#include <cmath>

#include "models/integrators/native.hpp"

namespace macrostep::models {

namespace {

using P = ManipulatorMechanicsParameters;

constexpr double nominal_speed_m_per_s = 1;
constexpr double nominal_acceleration_m_per_s2 = 100;
/// Time of one evaluation of the right-hand side, measured against a spring and mass, rounded.
constexpr double rhs_weight = 20;

constexpr auto parameter_table = two_link_arm_parameters<P>();

constexpr std::array integrators{Integrator::symplectic_euler, Integrator::rk4,
                                 Integrator::trapezoidal, Integrator::cvode};

}  // namespace

std::span<const Parameter<P>> manipulator_mechanics_parameters() {
  return parameter_table;
}

std::span<const Integrator> manipulator_mechanics_integrators() {
  return integrators;
}

std::vector<ParameterError> check(const P& p) {
  auto errors = out_of_range<P>(p, parameter_table);
  if (!errors.empty()) {
    return errors;
  }
  const auto s =
      length_to_middle(p.link_1_length_m, p.pivot_x_m, p.pivot_y_m, sin_cos(p.theta_1_rad));
  // Not a number if rounding makes the square of no length negative.
  if (!(s.length >= shortest_actuator_m)) {
    errors.push_back({"theta_1", "the actuator has no length in the initial position"});
  } else if (std::abs(s.slope) < smallest_lever_m) {
    errors.push_back({"theta_1",
                      "the actuator cannot hold link 1 in the "
                      "initial position: it has no lever "
                      "arm"});
  }
  return errors;
}

ManipulatorMechanics::ManipulatorMechanics(const P& p, double viscous_coefficient_ns_per_m)
    : initial_state_(p.theta_1_rad, p.theta_2_rad, 0, 0),
      arm_(TwoLinkArm::of(p)),
      link_1_(p.link_1_length_m),
      pivot_x_(p.pivot_x_m),
      pivot_y_(p.pivot_y_m),
      viscous_(viscous_coefficient_ns_per_m) {}

Description ManipulatorMechanics::description() const {
  Description description;
  description.inputs = {{.name = "f", .unit = "N"}};
  description.outputs = {
      {.name = "s", .unit = "m", .nominal = link_1_, .derivative = 1, .direct_inputs = {}},
      {.name = "s_dot",
       .unit = "m/s",
       .nominal = nominal_speed_m_per_s,
       .derivative = 2,
       .direct_inputs = {}},
      {.name = "s_ddot",
       .unit = "m/s^2",
       .nominal = nominal_acceleration_m_per_s2,
       .derivative = {},
       .direct_inputs = {0}},
      {.name = "energy",
       .unit = "J",
       .nominal = arm_.weight_1 + arm_.weight_2 + arm_.inertia_11,
       .derivative = {},
       .direct_inputs = {}}};
  description.energy_output = 3;
  description.rhs_weight = rhs_weight;
  return description;
}

ManipulatorEquilibrium ManipulatorMechanics::equilibrium() const {
  const auto at = motion(initial_state_, 0);
  const double force = arm_.weight_1 * at.pose.theta_1.cos / at.s.slope;
  return {at.s.length, std::abs(at.s.slope) < smallest_lever_m ? std::nan("") : force};
}

Eigen::Matrix4d ManipulatorMechanics::jacobian(const State& x, const Forcing& forcing) const {
  const auto at = motion(x, forcing.u[0]);
  Eigen::Matrix4d result = Eigen::Matrix4d::Zero();
  result(0, 2) = 1;
  result(1, 3) = 1;
  result.bottomRows<2>() = arm_.accelerations_of(at.pose, force_slopes(x, at));
  return result;
}

std::unique_ptr<Subsystem> make_manipulator_mechanics(const P& parameters,
                                                      double viscous_coefficient_ns_per_m,
                                                      Integrator integrator,
                                                      std::optional<double> micro_step_s) {
  return make_native(ManipulatorMechanics(parameters, viscous_coefficient_ns_per_m), integrator,
                     micro_step_s);
}

Dynamics manipulator_mechanics_dynamics(const P& parameters, double viscous_coefficient_ns_per_m) {
  return dynamics_of(ManipulatorMechanics(parameters, viscous_coefficient_ns_per_m));
}

}  // namespace macrostep::models
