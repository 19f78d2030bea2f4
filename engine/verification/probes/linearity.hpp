// Whether a problem is linear as far as its inputs may take it: halving a lasting input must halve
// the response, up to the free motion. Jumps alone may not reach what is not linear, as a stop.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// Outputs that are off a linear model by more of how far they move are not linear: what it says of
/// a slow growth is then worth nothing.
inline constexpr double largest_unexplained = 1e-4;

/// Largest deviation of the response to an input from twice the response to its half, as a share of
/// the response, the largest over the outputs. Records have a row for each output.
double nonlinear_share(const Eigen::MatrixXd& free, const Eigen::MatrixXd& driven,
                       const Eigen::MatrixXd& half_driven);

struct Linearity {
  double nonlinear_share = 0;  ///< the largest over the inputs that were compared
  std::string input;           ///< the name of the one that it belongs to
  std::size_t compared = 0;    ///< lasting inputs whose runs, whole and half, go far enough
  double cost = 0;             ///< of the runs
  std::string reason;          ///< why nobody has looked

  bool is_linear() const { return nonlinear_share <= largest_unexplained; }
};

/// By every other one of CheckInputs::lasting and by its sines, which go far where something
/// resonates, up to a number of macro-steps. Without external inputs nothing is compared.
Linearity probe_linearity(const Plan& plan, std::size_t configuration, double macro_step_s,
                          const RunsOnThreads& runs);

}  // namespace macrostep::engine
