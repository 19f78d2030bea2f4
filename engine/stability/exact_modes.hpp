// The motions of the exact coupled system ẋ = A x, which a co-simulation of it is held against.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <vector>

#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// x(t) = position + velocity·t, an exact solution without external inputs: an equilibrium where
/// the velocity is 0, else a part that nothing holds, such as a free shaft or an integrator. With
/// the outputs that belong to it.
struct Drift {
  Eigen::VectorXd position, velocity;
  Eigen::VectorXd position_outputs, velocity_outputs;
};

struct ExactModes {
  /// σ_i: real parts of the eigenvalues of A, the largest first.
  std::vector<double> rates_per_s;
  /// The eigenvalues that grow, both of a pair with Im ≥ 0, the fastest first.
  std::vector<std::complex<double>> growing_per_s;
  /// |Im| of every eigenvalue that oscillates without damping, both of a pair.
  std::vector<double> undamped_rad_s;
  /// The longest of 2π/|Im| (modes that oscillate) and 1/|Re| (others); absent where all is at rest
  /// or drifts.
  std::optional<double> slowest_s;
  /// The largest magnitude of an eigenvalue, of A or of a subsystem with its inputs held.
  double fastest_per_s = 0;
  /// |Im| of what oscillates with little damping, of A or of a subsystem with its inputs held, each
  /// once.
  std::vector<double> oscillations_rad_s;
  std::vector<Drift> drifts;

  double largest_rate_per_s() const { return rates_per_s.empty() ? 0 : rates_per_s.front(); }
};

/// Connections with a delay of macro-steps count as without: the delay belongs to the co-simulation
/// and vanishes with H. Nothing where the system is not known to be linear, has no states or very
/// many, or its outputs do not settle.
std::optional<ExactModes> exact_modes(const Plan& plan, const Configuration& configuration);

}  // namespace macrostep::engine
