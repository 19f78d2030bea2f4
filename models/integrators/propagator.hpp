// Exact integration of ẋ = A x + g(t) over one step h with a polynomial g:
//
//   g = Σ_k g_k σ^k, σ = (t − t_n)/h, k ≤ 4:   x⁺ = x + E x + Σ_k W_k g_k
//   E = e^(A h) − I,   W_k = h ∫₀¹ e^(A h (1−σ)) σ^k dσ = h k! φ_(k+1)(A h)
//
// with φ_0(z) = e^z, φ_(k+1)(z) = (φ_k(z) − 1/k!)/z. These are the blocks of the exponential of the
// system augmented by g and its derivatives; A is never inverted, so that it may be singular.
// Method: A is balanced by powers of two; z = A h is halved until its norm is at most 1/2; φ_5 from
// its power series and the rest by φ_k(z) = z φ_(k+1)(z) + I/k!; doubled back by
//
//   φ_k(2z) = 2^(−k) [φ_0(z) φ_k(z) + Σ_(j=1..k) φ_j(z)/(k−j)!],   E(2z) = E(z)² + 2 E(z)
//
// (Skaflestad and Wright, 2009, for the doubling). E instead of e^(A h) keeps the error of a step
// proportional to the step: over a time T it is of order ‖A‖ T times the rounding of a double.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "models/subsystem/input_polynomial.hpp"

namespace macrostep::models {

/// `size` is the number of states or Eigen::Dynamic.
template <int size>
struct StepMatrices {
  using Matrix = Eigen::Matrix<double, size, size>;

  Matrix growth;                                              ///< E: x⁺ − x for g = 0
  std::array<Matrix, max_extrapolation_order + 1> weights{};  ///< W_k
};

/// Allocates in the constructor only (Eigen's products of large matrices take working memory of
/// their own).
template <int size>
class Propagator {
 public:
  using Matrix = Eigen::Matrix<double, size, size>;
  using Vector = Eigen::Matrix<double, size, 1>;
  static constexpr std::size_t degrees = max_extrapolation_order + 1;

  explicit Propagator(const Matrix& a)
      : balanced_(a),
        scale_(Vector::Ones(a.rows())),
        made_{.growth = a},
        square_(a),
        next_(a),
        z_(a) {
    made_.weights.fill(a);
    balance();
  }

  /// Begins anew with another matrix of the same size.
  void restart(const Matrix& a) {
    balanced_ = a;
    scale_.setOnes();
    step_s_ = 0;
    balance();
  }

  double step_s() const { return step_s_; }

  /// Makes E and W_k of a step; does nothing if they are there.
  void prepare(double step_s) {
    if (step_s == step_s_) {
      return;
    }
    z_ = balanced_ * step_s;
    const double norm = z_.cwiseAbs().colwise().sum().maxCoeff();
    if (!std::isfinite(norm)) {  // the solution leaves the range of numbers, too
      made_.growth.setConstant(std::numeric_limits<double>::quiet_NaN());
      step_s_ = step_s;
      return;
    }
    const int halvings = static_cast<int>(std::max(0.0, std::ceil(std::log2(norm / largest_norm))));
    z_ /= std::ldexp(1.0, halvings);
    small_phi();
    for (int i = 0; i < halvings; ++i) {
      double_z();
    }
    finish(step_s);
    step_s_ = step_s;
  }

  /// Those of the step that was prepared last.
  const StepMatrices<size>& matrices() const { return made_; }
  const Matrix& growth() const { return made_.growth; }
  const Matrix& weight(std::size_t k) const { return made_.weights[k]; }

 private:
  static constexpr double largest_norm = 0.5;
  static constexpr int max_balancing_sweeps = 100;
  /// Terms of φ_5: the next one is below ½¹³/18! of 1/5!, 2e-18.
  static constexpr int series_terms = 12;

  static constexpr double factorial(std::size_t n) {
    double product = 1;
    for (std::size_t i = 2; i <= n; ++i) {
      product *= static_cast<double>(i);
    }
    return product;
  }

  /// balanced_ = S⁻¹ A S with S = diag(scale_), rows and columns of about equal size.
  void balance() {
    bool changed = true;
    for (int sweep = 0; changed && sweep < max_balancing_sweeps; ++sweep) {
      changed = false;
      for (Eigen::Index i = 0; i < balanced_.rows(); ++i) {
        const double diagonal = std::abs(balanced_(i, i));
        const double column = balanced_.col(i).cwiseAbs().sum() - diagonal;
        const double row = balanced_.row(i).cwiseAbs().sum() - diagonal;
        if (!(column > 0 && row > 0 && std::isfinite(column + row))) {
          continue;
        }
        const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
        if (factor != 1) {
          balanced_.col(i) *= factor;
          balanced_.row(i) /= factor;
          scale_[i] *= factor;
          changed = true;
        }
      }
    }
  }

  /// made_.weights[k − 1] = φ_k(z), k = 1 … 5, and made_.growth = E(z), for small z.
  void small_phi() {
    Matrix& last = made_.weights[degrees - 1];
    last.setIdentity();
    last /= factorial(degrees + series_terms);
    for (std::size_t j = series_terms; j > 0; --j) {
      square_.noalias() = z_ * last;
      last.swap(square_);
      last.diagonal().array() += 1 / factorial(degrees + j - 1);
    }
    for (std::size_t k = degrees - 1; k > 0; --k) {
      made_.weights[k - 1].noalias() = z_ * made_.weights[k];
      made_.weights[k - 1].diagonal().array() += 1 / factorial(k);
    }
    made_.growth.noalias() = z_ * made_.weights[0];
  }

  void double_z() {
    for (std::size_t k = degrees; k > 0; --k) {  // φ_k needs the φ_j, j ≤ k, of before
      next_ = made_.weights[k - 1];
      next_.noalias() += made_.growth * made_.weights[k - 1];
      for (std::size_t j = 1; j <= k; ++j) {
        next_ += made_.weights[j - 1] / factorial(k - j);
      }
      made_.weights[k - 1] = next_ / std::ldexp(1.0, static_cast<int>(k));
    }
    square_.noalias() = made_.growth * made_.growth;
    made_.growth = 2 * made_.growth + square_;
  }

  /// From the balanced matrices to those of the system, and from φ to W.
  void finish(double step_s) {
    const auto unbalance = [&](Matrix& m) {
      for (Eigen::Index i = 0; i < m.rows(); ++i) {
        m.row(i) *= scale_[i];
        m.col(i) /= scale_[i];
      }
    };
    unbalance(made_.growth);
    for (std::size_t k = 0; k < degrees; ++k) {
      unbalance(made_.weights[k]);
      made_.weights[k] *= step_s * factorial(k);
    }
  }

  Matrix balanced_;
  Vector scale_;
  StepMatrices<size> made_;  ///< as weights φ_1 … φ_5, in the end W_0 … W_4
  Matrix square_, next_, z_;
  double step_s_ = 0;
};

}  // namespace macrostep::models
