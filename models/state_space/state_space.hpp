// A linear subsystem that the user gives by its matrices:
//
//   ẋ = A x + B u + B_w w,   y = C x + D u + D_w w,   x(0) = x0
//
// with coupling inputs u and external inputs w. Integrators: forward Euler, and the trapezoidal
// rule (I − h/2 A) x⁺ = (I + h/2 A) x + h/2 [g(t) + g(t + h)], g = B u + B_w w, factorised once per
// h.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/integrator.hpp"
#include "models/parameter.hpp"
#include "models/subsystem.hpp"

namespace macrostep::models {

inline constexpr Eigen::Index max_state_space_size = 200;

struct StateSpacePort {
  std::string name;
  std::string unit;
  double nominal = 1e4;  ///< of an output; large, as the user's scales are unknown

  bool operator==(const StateSpacePort&) const = default;
};

/// n states, m inputs (coupled and external together), p outputs: A is n × n, B n × m, C p × n,
/// D p × m, x0 of n. Ports in the order of the columns of B and the rows of C.
struct StateSpace {
  Eigen::MatrixXd a, b, c, d;
  Eigen::VectorXd x0;
  std::vector<StateSpacePort> inputs;
  std::vector<StateSpacePort> outputs;
};

/// Equal shapes and equal values.
bool operator==(const StateSpace& left, const StateSpace& right);

/// Errors named "A", "B", "C", "D", "x0", "inputs", "outputs".
std::vector<ParameterError> check(const StateSpace& model);

/// Ports of the subsystem; `externals` names the inputs that are driven from outside.
Description describe_state_space(const StateSpace& model,
                                 const std::vector<std::string>& externals);

/// Integrators: trapezoidal, forward_euler.
std::span<const Integrator> state_space_integrators();

std::unique_ptr<Subsystem> make_state_space(const StateSpace& model,
                                            const std::vector<std::string>& externals,
                                            Integrator integrator,
                                            std::optional<double> micro_step_s);

}  // namespace macrostep::models
