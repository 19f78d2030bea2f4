// Parameters of the oscillators: masses, the springs and dampers that hold and couple them, the
// tables that name them for users, and the defaults of the problems. Sources in the README.
#pragma once

#include <span>
#include <vector>

#include "models/subsystem/parameter.hpp"

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

}  // namespace macrostep::models
