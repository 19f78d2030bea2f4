// A of the exact coupled system ẋ = A x of a linear plan.
#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "engine/plan/plan.hpp"
#include "engine/reference/coupled_dynamics.hpp"

namespace macrostep::engine {

inline Eigen::MatrixXd state_matrix(const Plan& plan, const Configuration& configuration) {
  CoupledDynamics equations(plan.coupling(configuration), plan.graph(configuration));
  std::ranges::fill(equations.externals(), 0.0);
  return equations.state_matrix();
}

}  // namespace macrostep::engine
