// A pipe and a volume in series, twice: the linear R-I-R-C system of Viel (2014), eqs. 1-4.
//
//   q̇ = −q/τ + p/I − f_out      e = q/C   pressure in the volume
//   ṗ = −q/C − 2ζω_0 p + e_in   f = p/I   flow in the pipe
//
// with ω_0 = 1/√(I C). The left one has f_out = f_2 from the right one and e_in = 0 (its source has
// constant pressure), and gives e_1; the right one has e_in = e_1 and the external flow f_out =
// f_3, and gives f_2. The power through the interface is e_1 f_2. Units: q [m³], p [Pa s], e [Pa],
// f [m³/s].
#pragma once

#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "models/integrators/dynamics.hpp"
#include "models/integrators/integrator.hpp"
#include "models/subsystem/parameter.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

struct PipeVolumeParameters {
  /// π/(ω_0 φ_1) = 425 µs, the shortest half period of the coupled system; φ_1 is the golden ratio.
  double frequency_rad_per_s = std::numbers::pi / (425e-6 * std::numbers::phi);
  double pipe_damping_ratio = 1e-3;  ///< ζ
  /// ω_0 τ. Deviation: the paper prints 0.5, with which every macro-step is stable.
  double decay = 40;
  /// √(I/C), ours: it scales pressures against flows and nothing else.
  double impedance_pa_s_per_m3 = 1e10;
};

enum class PipeVolumeSide { left, right };

/// omega_0, zeta, omega_0_tau, Z.
std::span<const Parameter<PipeVolumeParameters>> pipe_volume_parameters();

std::vector<ParameterError> check(const PipeVolumeParameters& parameters);

Description describe_pipe_volume(const PipeVolumeParameters& parameters, PipeVolumeSide side);

/// exact, cvode, rk4, trapezoidal, forward_euler.
std::span<const Integrator> pipe_volume_integrators();

/// Null for an integrator that is not offered.
std::unique_ptr<Subsystem> make_pipe_volume(const PipeVolumeParameters& parameters,
                                            PipeVolumeSide side, Integrator integrator,
                                            std::optional<double> micro_step_s);

Dynamics pipe_volume_dynamics(const PipeVolumeParameters& parameters, PipeVolumeSide side);

}  // namespace macrostep::models
