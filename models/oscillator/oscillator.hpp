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
#include <vector>

#include "models/dynamics.hpp"
#include "models/integrator.hpp"
#include "models/parameter.hpp"
#include "models/subsystem.hpp"

namespace macrostep::models {

/// A mass with its spring and damper to the ground.
struct MassParameters {
  double mass_kg = 1;
  double stiffness_n_per_m = 10;
  double damping_ns_per_m = 0;
  double position_m = 0;          ///< at the start
  double velocity_m_per_s = 100;  ///< at the start
  double spring_exponent = 1;     ///< n_s
  double damper_exponent = 1;     ///< n_d
  double stop_m = 0;              ///< end stops on both sides of the middle; 0: none
  double stop_stiffness_n_per_m = 0;
  double stop_dissipation_s_per_m = 0;
};

/// The spring and damper between two masses.
struct CouplingParameters {
  double stiffness_n_per_m = 100;
  double damping_ns_per_m = 0;
  double spring_exponent = 1;
  double damper_exponent = 1;
  double smallest_damping_ns_per_m = 0;
  double largest_damping_ns_per_m = 1e9;
  double gap_m = 0;  ///< backlash: neither acts within it
};

/// Largest number of masses, and so of forces on the last one plus one.
inline constexpr int max_oscillator_masses = 16;

/// The masses of a problem, m1 first, and the coupling between each pair of coupled ones.
struct Oscillator {
  std::vector<MassParameters> masses;
  CouplingParameters coupling;
};

// Defaults of the problems.
Oscillator linear_oscillator();
Oscillator n_mass_oscillator(int count);  ///< m1 of the linear oscillator, divided into count − 1
Oscillator nonlinear_oscillator();        ///< square-root springs, quadratic dampers (none: c = 0)
Oscillator stiff_oscillator();

// Names of the parameters in the problems: m k c x0 v0 and k_c c_c; nonlinear also n_s n_d, x_stop
// k_stop lambda_stop, and d_min d_max gap; stiff m c d x0 v0 and c_k d_k.
std::span<const Parameter<MassParameters>> linear_mass_parameters();
std::span<const Parameter<MassParameters>> nonlinear_mass_parameters();
std::span<const Parameter<MassParameters>> stiff_mass_parameters();
std::span<const Parameter<CouplingParameters>> linear_coupling_parameters();
std::span<const Parameter<CouplingParameters>> nonlinear_coupling_parameters();
std::span<const Parameter<CouplingParameters>> stiff_coupling_parameters();

/// Errors named as in `table`.
std::vector<ParameterError> check(const MassParameters& mass,
                                  std::span<const Parameter<MassParameters>> table);
std::vector<ParameterError> check(const CouplingParameters& coupling,
                                  std::span<const Parameter<CouplingParameters>> table);

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
