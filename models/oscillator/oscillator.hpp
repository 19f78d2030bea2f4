// One mass of an oscillator, on a spring and damper to the ground, coupled to other masses by
// springs and dampers:
//
//   m ẍ = −g(x, ẋ) − Σ forces of the couplings + f_ext
//
// with every force as in spring_damper.hpp. What the mass exchanges depends on the coupling:
//
//   role          inputs       outputs          coupling        f
//   owner         x_in, v_in   x, v, f, energy  k_c, c_c here   force on the other mass
//   receiver      f_in         x, v, energy     elsewhere       –
//   displacement  x_in, v_in   x, v, f, energy  k_c, c_c here   force on this mass, not exchanged
//
// x_in, v_in [m, m/s] are position and velocity of the other mass, f_in [N] is the force on this
// one; n of them are f_in_1 … f_in_n. `energy` [J] is kinetic and potential, with that of the
// coupling spring where the mass counts it. External input f_ext [N]. Sources in the README.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "models/integrators/dynamics.hpp"
#include "models/integrators/integrator.hpp"
#include "models/oscillator/parameters.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

enum class MassRole { owner, receiver, displacement };

struct MassSetup {
  MassParameters mass;
  CouplingParameters coupling;  ///< not used by a receiver
  MassRole role = MassRole::receiver;
  int forces = 1;                      ///< inputs of a receiver
  bool counts_coupling_energy = true;  ///< one of the two masses that know the spring counts it
  /// Typical velocity, which sets the nominal values; 0: from the mass's own start, or 1 m/s.
  double nominal_velocity_m_per_s = 0;
};

/// Gives all masses of an oscillator the largest typical velocity among them.
void share_nominal_velocity(std::span<MassSetup> setups);

Description describe_mass(const MassSetup& setup);

/// Offered integrators, the default first; `exact` only where spring and damper are linear.
std::span<const Integrator> mass_integrators(const MassSetup& setup);

/// Null for an integrator that is not offered.
std::unique_ptr<Subsystem> make_mass(const MassSetup& setup, Integrator integrator,
                                     std::optional<double> micro_step_s);

Dynamics mass_dynamics(const MassSetup& setup);

}  // namespace macrostep::models
