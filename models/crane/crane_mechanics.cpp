#include "models/crane/crane_mechanics.hpp"

#include <algorithm>
#include <cmath>

namespace macrostep::models {

namespace {

using P = CraneParameters;
using detail::arm;

constexpr auto parameter_table = joined(
    two_link_arm_parameters<P>(),
    std::array{
        Parameter<P>{"alpha", "1", &P::penalty, 1e5, 1e12, "penalty of the augmented Lagrangian"},
        Parameter<P>{"xi", "1", &P::damping_ratio, 0, 10, "damping ratio of the stabilisation"},
        Parameter<P>{"omega", "rad/s", &P::frequency_rad_per_s, 0, 1e3,
                     "frequency of the stabilisation"}});

}  // namespace

std::span<const Parameter<P>> crane_parameters() {
  return parameter_table;
}

std::vector<ParameterError> check(const P& p, int actuators) {
  auto errors = out_of_range<P>(p, parameter_table);
  if (!errors.empty()) {
    return errors;
  }
  const CraneMechanics crane(p, actuators);
  const auto q = crane.initial_state().q;
  static constexpr std::array angle_names{"theta_1", "theta_2"};
  for (int i = 0; i < actuators; ++i) {
    const auto [x, y, share] = arm(q, p, i);
    const std::string which = "actuator " + std::to_string(i + 1);
    const auto angle = angle_names[static_cast<std::size_t>(i)];
    if (std::hypot(x, y) < shortest_actuator_m) {
      errors.push_back({angle, which + " has no length in the initial position"});
    } else if (!std::isfinite(crane.equilibrium().forces_n[static_cast<std::size_t>(i)])) {
      errors.push_back({angle, which + " cannot hold its link in the initial position: it has no "
                                       "lever arm"});
    }
  }
  return errors;
}

CraneMechanics::CraneMechanics(const P& p, int actuators) : parameters_(p), actuators_(actuators) {
  const double length_squared = p.link_1_length_m * p.link_1_length_m;
  // A slender rod about its middle, and the point mass at Q carried by θ1.
  const double inertia = p.link_1_mass_kg * length_squared / 12 + p.mass_at_q_kg * length_squared;
  masses_ =
      CraneVector(p.link_1_mass_kg, p.link_1_mass_kg, inertia, p.mass_at_r_kg, p.mass_at_r_kg);
  inverse_masses_ = masses_.cwiseInverse();
}

Description CraneMechanics::description() const {
  // One iteration of the augmented Lagrangian counts as one evaluation. Measured against a spring
  // and mass, rounded.
  constexpr double rhs_weight = 25;
  constexpr double nominal_speed_m_per_s = 1;
  constexpr double nominal_acceleration_m_per_s2 = 100;
  Description description;
  description.rhs_weight = rhs_weight;
  for (int i = 0; i < actuators_; ++i) {
    const std::string suffix = actuators_ == 1 ? "" : "_" + std::to_string(i + 1);
    const auto first = description.outputs.size();
    description.inputs.push_back({.name = "f" + suffix, .unit = "N"});
    description.outputs.push_back({.name = "s" + suffix,
                                   .unit = "m",
                                   .nominal = parameters_.link_1_length_m,
                                   .derivative = first + 1,
                                   .direct_inputs = {}});
    description.outputs.push_back({.name = "s_dot" + suffix,
                                   .unit = "m/s",
                                   .nominal = nominal_speed_m_per_s,
                                   .derivative = first + 2,
                                   .direct_inputs = {}});
    description.outputs.push_back({.name = "s_ddot" + suffix,
                                   .unit = "m/s^2",
                                   .nominal = nominal_acceleration_m_per_s2,
                                   .derivative = {},
                                   .direct_inputs = {}});
  }
  return description;
}

CraneState CraneMechanics::initial_state() const {
  const auto& p = parameters_;
  const double qx = p.link_1_length_m * std::cos(p.theta_1_rad);
  const double qy = p.link_1_length_m * std::sin(p.theta_1_rad);
  CraneState state;
  state.q =
      CraneVector(qx / 2, qy / 2, p.theta_1_rad, qx + p.link_2_length_m * std::cos(p.theta_2_rad),
                  qy + p.link_2_length_m * std::sin(p.theta_2_rad));
  return state;
}

CraneEquilibrium CraneMechanics::equilibrium() const {
  // Virtual work in the independent angles: each actuator's generalised forces balance gravity's.
  // ∂V/∂θ_j and ∂s_i/∂θ_j with P, R functions of (θ1, θ2).
  const auto& p = parameters_;
  const double lc = p.link_1_length_m * std::cos(p.theta_1_rad);
  const double ls = p.link_1_length_m * std::sin(p.theta_1_rad);
  const double hc = p.link_2_length_m * std::cos(p.theta_2_rad);
  const double hs = p.link_2_length_m * std::sin(p.theta_2_rad);
  const double gravity_1 =
      p.gravity_m_per_s2 * lc * (p.link_1_mass_kg / 2 + p.mass_at_q_kg + p.mass_at_r_kg);
  const double gravity_2 = p.gravity_m_per_s2 * hc * p.mass_at_r_kg;
  const auto q = initial_state().q;

  CraneEquilibrium result;
  double held_1 = 0;  // generalised force on θ1 that actuator 2 takes
  if (actuators_ == 2) {
    const auto [x, y, share] = arm(q, p, 1);
    const double s = std::hypot(x, y);
    const double lever_2 = share * (-x * hs + y * hc) / s;
    const double lever_1 = share * (-x * ls + y * lc) / s;
    const double f = gravity_2 / lever_2;
    result.lengths_m[1] = s;
    result.forces_n[1] = std::abs(lever_2) < smallest_lever_m ? std::nan("") : f;
    held_1 = f * lever_1;
  }
  const auto [x, y, share] = arm(q, p, 0);
  const double s = std::hypot(x, y);
  const double lever = (-x * ls + y * lc) / (2 * s);
  result.lengths_m[0] = s;
  result.forces_n[0] =
      std::abs(lever) < smallest_lever_m ? std::nan("") : (gravity_1 - held_1) / lever;
  return result;
}

}  // namespace macrostep::models
