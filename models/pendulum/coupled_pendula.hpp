// Two pendula whose tips are joined by a spring and damper (Rodríguez et al. 2022, section 4.3):
// point masses on massless rods, in a vertical plane.
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

#include <array>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "models/dynamics.hpp"
#include "models/integrator.hpp"
#include "models/parameter.hpp"
#include "models/subsystem.hpp"

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

/// m1 and m2 start at rest, leaning towards each other, with the spring unloaded.
struct CoupledPendula {
  std::array<PendulumParameters, 2> pendula{
      PendulumParameters{},
      PendulumParameters{.angle_rad = -std::numbers::pi / 18, .pivot_x_m = 10.5}};
  PendulumCouplingParameters coupling;
};

std::span<const Parameter<PendulumParameters>> pendulum_parameters();
std::span<const Parameter<PendulumCouplingParameters>> pendulum_coupling_parameters();

/// l_0: the distance of the tips at the start.
double natural_length_m(const CoupledPendula& pendula);

std::vector<ParameterError> check(const PendulumParameters& pendulum);
std::vector<ParameterError> check(const PendulumCouplingParameters& coupling);
/// Errors of the tips' distance, for pendula and coupling without errors of their own; named as
/// parameters of m2.
std::vector<ParameterError> check(const CoupledPendula& pendula);

enum class PendulumRole { owner, receiver, displacement };

struct PendulumSetup {
  PendulumParameters pendulum;
  PendulumCouplingParameters coupling;  ///< not used by a receiver
  double natural_length_m = 0;          ///< not used by a receiver
  PendulumRole role = PendulumRole::receiver;
  bool counts_coupling_energy = true;  ///< one of two pendula that know the spring counts it
};

Description describe_pendulum(const PendulumSetup& setup);

/// Integrators: al_symplectic_euler (in Cartesian coordinates, the default); symplectic_euler, rk4,
/// trapezoidal, cvode (in the angle).
std::span<const Integrator> pendulum_integrators();

/// Null for an integrator that is not offered.
std::unique_ptr<Subsystem> make_pendulum(const PendulumSetup& setup, Integrator integrator,
                                         std::optional<double> micro_step_s);

/// In the angle: state [θ, θ̇].
Dynamics pendulum_dynamics(const PendulumSetup& setup);

/// The state of those dynamics, [θ; θ̇], from what a pendulum of any integrator saves; θ is within
/// π of where it starts if the integrator has Cartesian coordinates.
void pendulum_angle(const PendulumSetup& setup, std::span<const double> saved,
                    std::span<double> state);

}  // namespace macrostep::models
