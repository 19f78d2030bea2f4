#include "models/input_dynamics.hpp"

namespace macrostep::models {

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
  l_ = loop_factors_.solve(twice_.transpose());
  product_.noalias() = gain_ * own.c;
  p_ = loop_factors_.solve(product_);
  product_.noalias() = slope_ * own.c;
  q_ = loop_factors_.solve(product_);
  loop_.noalias() = slope_ * own.d;
  r_ = loop_factors_.solve(loop_);
}

}  // namespace macrostep::models
