#include "models/pendulum/pendulum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace macrostep::models {

namespace {

using P = PendulumParameters;
using C = PendulumCouplingParameters;

constexpr double two_pi = 2 * std::numbers::pi;
/// Time of one evaluation of the right-hand side, measured against a spring and mass, rounded.
constexpr double sprung_rhs_weight = 25;
constexpr double loaded_rhs_weight = 15;

constexpr std::array pendulum_table{
    Parameter<P>{"m", "kg", &P::mass_kg, 1e-3, 1e6, "point mass"},
    Parameter<P>{"l", "m", &P::length_m, 1e-3, 1e3, "length of the rod"},
    Parameter<P>{"theta", "rad", &P::angle_rad, -two_pi, two_pi,
                 "initial angle from -y, counterclockwise"},
    Parameter<P>{"x_p", "m", &P::pivot_x_m, -1e4, 1e4, "x of the pivot"},
    Parameter<P>{"g", "m/s^2", &P::gravity_m_per_s2, 0, 100, "gravity, along -y"},
};

constexpr std::array coupling_table{
    Parameter<C>{"k_c", "N/m", &C::stiffness_n_per_m, 0, 1e9, "stiffness of the coupling spring"},
    Parameter<C>{"c_c", "N s/m", &C::damping_ns_per_m, 0, 1e6, "damping of the coupling damper"},
};

/// The typical acceleration of a tip: gravity's, or what the spring can do to it.
double nominal_acceleration(const PendulumSetup& setup) {
  const auto& p = setup.pendulum;
  const bool knows_spring = setup.role != PendulumRole::receiver;
  const double by_spring =
      knows_spring ? setup.coupling.stiffness_n_per_m * p.length_m / p.mass_kg : 0;
  return std::max({p.gravity_m_per_s2, by_spring, 1.0});
}

}  // namespace

std::span<const Parameter<P>> pendulum_parameters() {
  return pendulum_table;
}

std::span<const Parameter<C>> pendulum_coupling_parameters() {
  return coupling_table;
}

std::vector<ParameterError> check(const P& pendulum) {
  return out_of_range<P>(pendulum, pendulum_table);
}

std::vector<ParameterError> check(const C& coupling) {
  return out_of_range<C>(coupling, coupling_table);
}

Description describe_pendulum(const PendulumSetup& setup) {
  const auto& p = setup.pendulum;
  const double acceleration = nominal_acceleration(setup);
  const double speed = std::sqrt(acceleration * p.length_m);
  const bool knows_spring = setup.role != PendulumRole::receiver;
  Description description;
  for (const char* name : {"x", "y"}) {
    description.outputs.push_back({.name = name,
                                   .unit = "m",
                                   .nominal = std::abs(p.pivot_x_m) + p.length_m,
                                   .derivative = description.outputs.size() + 2,
                                   .direct_inputs = {}});
  }
  for (const char* name : {"v_x", "v_y"}) {
    description.outputs.push_back(
        {.name = name, .unit = "m/s", .nominal = speed, .derivative = {}, .direct_inputs = {}});
  }
  if (knows_spring) {
    description.inputs = {{"x_in", "m"}, {"y_in", "m"}, {"v_x_in", "m/s"}, {"v_y_in", "m/s"}};
    std::vector<std::size_t> direct{0, 1};
    if (setup.coupling.damping_ns_per_m != 0) {
      direct.insert(direct.end(), {2, 3});
    }
    for (const char* name : {"f_x", "f_y"}) {
      description.outputs.push_back({.name = name,
                                     .unit = "N",
                                     .nominal = p.mass_kg * acceleration,
                                     .derivative = {},
                                     .direct_inputs = direct});
    }
  } else {
    description.inputs = {{"f_x_in", "N"}, {"f_y_in", "N"}};
  }
  description.energy_output = description.outputs.size();
  description.outputs.push_back({.name = "energy",
                                 .unit = "J",
                                 .nominal = p.mass_kg * speed * speed,
                                 .derivative = {},
                                 .direct_inputs = {}});
  if (knows_spring && setup.counts_coupling_energy) {
    description.outputs.back().direct_inputs = {0, 1};
  }
  description.externals = {{.name = "f_ext", .unit = "N"}};
  description.rhs_weight = knows_spring ? sprung_rhs_weight : loaded_rhs_weight;
  return description;
}

}  // namespace macrostep::models
