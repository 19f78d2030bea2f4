// One of two pendula whose tips are joined by a spring and damper (Rodríguez et al. 2022,
// section 4.3): point masses on massless rods, in a vertical plane.
//
//   m r̈ = F + m g + rod,   |r − pivot| = l,   F = T n,   T = k_c (d − l_0) + c_c ḋ
//
// with d the distance from the tip r to the other tip and n the direction to it. What a pendulum
// exchanges depends on its role, as with the masses of oscillator/oscillator.hpp:
//
//   owner          knows the spring and gives the force on the other tip
//                  x_in, y_in, v_x_in, v_y_in → x, y, v_x, v_y, f_x, f_y, energy
//   receiver       f_x_in, f_y_in → x, y, v_x, v_y, energy
//   displacement   as owner, but f_x, f_y is the force on its own tip and not exchanged
//
// Inputs are position and velocity of the other tip [m, m/s], or the force on this one [N].
// `energy` [J] is kinetic and potential (0 at the height of the pivots), with that of the coupling
// spring where the pendulum counts it. External input f_ext [N]: a force on the tip along x.
#pragma once

#include <numbers>
#include <span>
#include <vector>

#include "models/subsystem/parameter.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

struct PendulumParameters {
  double mass_kg = 1;
  double length_m = 2;
  double angle_rad = std::numbers::pi / 4;  ///< at the start, from −y counterclockwise
  double pivot_x_m = 0;
  double gravity_m_per_s2 = 9.81;
};

struct PendulumCouplingParameters {
  double stiffness_n_per_m = 10;
  double damping_ns_per_m = 0;
};

std::span<const Parameter<PendulumParameters>> pendulum_parameters();
std::span<const Parameter<PendulumCouplingParameters>> pendulum_coupling_parameters();

std::vector<ParameterError> check(const PendulumParameters& pendulum);
std::vector<ParameterError> check(const PendulumCouplingParameters& coupling);

enum class PendulumRole { owner, receiver, displacement };

struct PendulumSetup {
  PendulumParameters pendulum;
  PendulumCouplingParameters coupling;  ///< not used by a receiver
  double natural_length_m = 0;          ///< not used by a receiver
  PendulumRole role = PendulumRole::receiver;
  bool counts_coupling_energy = true;  ///< one of two pendula that know the spring counts it
};

Description describe_pendulum(const PendulumSetup& setup);

}  // namespace macrostep::models
