// A linear subsystem that the user gives by its matrices:
//
//   continuous  ẋ = A x + B u + B_w w,                     y = C x + D u + D_w w,   x(0) = x0
//   discrete    x_(k+1) = A x_k + B u(t_k) + B_w w(t_k),   y = C x_k + D u(t_k) + D_w w(t_k)
//               from t_k = k·sample_time_s to t_(k+1): a sampled controller
//
// with coupling inputs u and external inputs w.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/integrators/dynamics.hpp"
#include "models/integrators/integrator.hpp"
#include "models/subsystem/parameter.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

inline constexpr Eigen::Index max_state_space_size = 200;

/// Nominal value of an output whose size is not known.
inline constexpr double large_nominal = 1e4;

struct StateSpacePort {
  std::string name;
  std::string unit;
  std::optional<double> nominal;  ///< of an output; absent: large_nominal

  bool operator==(const StateSpacePort&) const = default;
};

/// n states, m inputs (coupled and external together), p outputs: A is n × n, B n × m, C p × n,
/// D p × m, x0 of n. Without a state outputs follow inputs at once: y = D u + D_w w. Ports in the
/// order of the columns of B and the rows of C.
struct StateSpace {
  Eigen::MatrixXd a, b, c, d;
  Eigen::VectorXd x0;
  std::vector<StateSpacePort> inputs;
  std::vector<StateSpacePort> outputs;
  std::optional<double> sample_time_s;  ///< of a discrete unit
};

/// Equal shapes and equal values.
bool operator==(const StateSpace& left, const StateSpace& right);

/// Errors named "A", "B", "C", "D", "x0", "inputs", "outputs", "sample_time_s".
std::vector<ParameterError> check(const StateSpace& model);

/// A state space with the columns of coupling inputs and of external inputs apart.
struct SplitStateSpace {
  Eigen::MatrixXd a, b, b_w, c, d, d_w;
  Eigen::VectorXd x0;
};

/// `externals` names the inputs that are driven from outside.
SplitStateSpace split(const StateSpace& model, const std::vector<std::string>& externals);

/// Ports of the subsystem; `externals` names the inputs that are driven from outside.
Description describe_state_space(const StateSpace& model,
                                 const std::vector<std::string>& externals);

/// Integrators of a continuous system, the default first: trapezoidal, forward_euler, rk4, exact,
/// cvode.
std::span<const Integrator> state_space_integrators();
/// A discrete unit has its own recursion, one without a state nothing to integrate: exact.
std::span<const Integrator> state_space_integrators(const StateSpace& model);

/// The equations of a continuous system.
Dynamics state_space_dynamics(const StateSpace& model, const std::vector<std::string>& externals);

}  // namespace macrostep::models
