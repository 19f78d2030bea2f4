// What one macro-step does to all that a co-simulation carries from one to the next: for linear
// subsystems without external inputs
//
//   z_{n+1} = Φ z_n
//
// with z the states of the subsystems and what the master remembers of every input. Φ is found by
// running the engine's own macro-step on unit vectors, so it belongs to what really runs: scheme,
// extrapolation, substeps, integrators and micro-steps included (Haid et al. 2022, section 4, write
// it down instead). An iterative scheme is taken at its maximum number of iterations, as if it had
// converged.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// Why a coupling is not linear, as far as its subsystems tell; empty if it is.
std::string why_not_linear(const Coupling& coupling);

/// Φ of one configuration at any macro-step.
class Propagation {
 public:
  /// Both must outlive it.
  Propagation(const Plan& plan, const Configuration& configuration);

  /// Φ, or why there is none: a subsystem is not linear or keeps more than a vector, or the
  /// extrapolation is chosen by values.
  std::variant<Eigen::MatrixXd, std::string> matrix(double macro_step_s) const;
  /// What the master remembers at a communication point of a motion without external inputs, with
  /// these states, and outputs by the time from there, at most 0. Nothing where there is no Φ.
  std::optional<Eigen::VectorXd> memory(
      double macro_step_s, const Eigen::VectorXd& states,
      const std::function<Eigen::VectorXd(double time_s)>& outputs) const;
  /// How many columns Φ has, each found by a macro-step; 0 where there is no Φ.
  std::size_t columns(double macro_step_s) const;

 private:
  const Plan& plan_;
  const Configuration& configuration_;
  std::string why_not_;  ///< there is no Φ; empty if there is
  std::vector<double> nominal_states_;
};

/// Φ at one macro-step, or why there is none.
std::variant<Eigen::MatrixXd, std::string> propagation_matrix(const Plan& plan,
                                                              const Configuration& configuration,
                                                              double macro_step_s);

/// Φ of a problem that is not linear: what one macro-step does to small deviations from the exact
/// solution under a test input, at the communication point nearest to at_s (and far enough
/// from the start). By central differences.
std::variant<Eigen::MatrixXd, std::string> linearised_propagation_matrix(
    const Plan& plan, const Configuration& configuration, const TestInput& test,
    double macro_step_s, double at_s);

}  // namespace macrostep::engine
