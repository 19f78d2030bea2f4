#include "models/integrators/input_dynamics.hpp"

namespace macrostep::models {

namespace {

/// Eigen's solvers read an element of the right side, which a unit without states does not have.
template <class Right>
void solve(const Eigen::PartialPivLU<Eigen::MatrixXd>& factors, const Right& right,
           Eigen::MatrixXd& solution) {
  if (right.size() == 0) {
    solution.resize(right.rows(), right.cols());
  } else {
    solution = factors.solve(right);
  }
}

}  // namespace

void InputCoefficients::evaluate(const InputDynamics& dynamics, double tau_s) {
  const auto& rest = dynamics.rest;
  const auto& own = *dynamics.own;
  const double theta = dynamics.theta;
  const bool exact = dynamics.derivative == ThetaDerivative::exact;

  // C 𝒜 and C 𝒜² by the transposed system: as many right sides as there are inputs.
  outputs_ = rest.c.transpose();
  once_ = outputs_;
  if (rest.a.size() > 0) {
    matrix_ = -theta * tau_s * rest.a.transpose();
    matrix_.diagonal().array() += 1;
    resolvent_.compute(matrix_);
    once_ = resolvent_.solve(outputs_);
  }
  twice_ = once_;
  if (exact && rest.a.size() > 0) {
    twice_ = resolvent_.solve(once_);
  }

  // u̇ = twice ẋ_k + slope Δy + gain ẏ. With ẏ = C_s ẋ + D_s u̇ it is to be resolved for u̇.
  slope_.noalias() = theta * twice_.transpose() * rest.b;
  gain_ = rest.d;
  if (exact) {
    gain_.noalias() += theta * tau_s * once_.transpose() * rest.b;
  }
  loop_.setIdentity(rest.c.rows(), rest.c.rows());
  loop_.noalias() -= gain_ * own.d;
  loop_factors_.compute(loop_);
  solve(loop_factors_, twice_.transpose(), l_);
  product_.noalias() = gain_ * own.c;
  solve(loop_factors_, product_, p_);
  product_.noalias() = slope_ * own.c;
  solve(loop_factors_, product_, q_);
  loop_.noalias() = slope_ * own.d;
  solve(loop_factors_, loop_, r_);
}

}  // namespace macrostep::models
