// A subsystem seen from close by: its equations ẋ = f(x, u, w), y = g(x, u, w) about a state, a
// time and inputs,
//
//   A = ∂f/∂x   B = ∂f/∂u   C = ∂g/∂x   D = ∂g/∂u   and ẋ = f itself
//
// with states, inputs and outputs in the order of the subsystem's state and ports.
#pragma once

#include <Eigen/Core>

namespace macrostep::models {

/// Belongs to one subsystem: the sizes are set by the first call that fills it.
struct Linearisation {
  Eigen::MatrixXd a, b, c, d;
  Eigen::VectorXd state_rate;
  /// The subsystem is linear: later calls bring only ẋ up to date. The row of an energy output in C
  /// and D, which is not linear, is that of the first call.
  bool constant = false;
};

}  // namespace macrostep::models
