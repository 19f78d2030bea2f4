// How the inputs of a subsystem move over one macro-step by the linearised rest of the coupling:
// the linearly implicit stabilisation of Arnold (2011) as given by Viel (2014), eqs. 15-26.
//
// The other subsystems follow ξ̇ = ẋ_k + A ξ + B Δy and make of it the inputs Δu = C ξ + D Δy, with
// Δ the change since t_k and Δy = C_s Δx + D_s Δu of this subsystem. One step of the θ method from
// t_k to t = t_k + τ (θ = r of the paper: 1 backward Euler, 1/2 trapezoidal rule) gives
//
//   ξ = τ 𝒜 (ẋ_k + θ B Δy),   𝒜 = (I − θ τ A)⁻¹
//
// and its derivative the equation that is integrated beside the subsystem's own:
//
//   exact    ξ̇ = 𝒜² (ẋ_k + θ B Δy) + θ τ 𝒜 B ẏ
//   printed  ξ̇ = 𝒜 (ẋ_k + θ B Δy)                              eq. 19
//   u̇ = C ξ̇ + D ẏ,   ẏ = C_s ẋ + D_s u̇
//   ⇒ u̇ = L(τ) ẋ_k + P(τ) ẋ + Q(τ) Δx + R(τ) Δu
//
// Deviation: eq. 19 leaves out the derivative of 𝒜 and ẇ; with it the trapezoidal rule loses to
// backward Euler, against what the paper finds, so the exact derivative is the default.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "models/subsystem/linearisation.hpp"

namespace macrostep::models {

enum class ThetaDerivative { exact, printed };

struct InputDynamics {
  double theta = 0.5;
  ThetaDerivative derivative = ThetaDerivative::exact;
  Linearisation rest;  ///< of the others, from this subsystem's outputs to its inputs
  const Linearisation* own = nullptr;
  std::int64_t version = 0;     ///< grows when a matrix of `rest` or `own` changes
  std::vector<double> nominal;  ///< of the inputs
  std::vector<double> end;      ///< where the subsystem leaves its inputs when it has stepped

  /// A model may have room for more inputs than there are.
  void set_end(std::span<const double> inputs) {
    std::copy_n(inputs.begin(), end.size(), end.begin());
  }
};

/// L, P, Q, R at one time of a macro-step.
class InputCoefficients {
 public:
  /// The first call sets the sizes, later ones allocate nothing.
  void evaluate(const InputDynamics& dynamics, double tau_s);

  const Eigen::MatrixXd& by_rest_rate() const { return l_; }  ///< L
  const Eigen::MatrixXd& by_rate() const { return p_; }       ///< P
  const Eigen::MatrixXd& by_state() const { return q_; }      ///< Q
  const Eigen::MatrixXd& by_input() const { return r_; }      ///< R

 private:
  Eigen::MatrixXd l_, p_, q_, r_;
  Eigen::MatrixXd matrix_, outputs_, once_, twice_;  ///< transposed: I − θτA, C, C𝒜, C𝒜²
  Eigen::MatrixXd slope_, gain_, loop_, product_;
  Eigen::PartialPivLU<Eigen::MatrixXd> resolvent_, loop_factors_;
};

}  // namespace macrostep::models
