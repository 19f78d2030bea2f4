// Inputs of a subsystem over one macro-step, as polynomials.
//
//   u(θ) = Σ_k c_k θ^k,   θ = (t − t_n)/H in [0, 1] over the macro-step [t_n, t_n + H]
//
// The normalised time keeps the coefficients in the units of the input and of its size.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace macrostep::models {

inline constexpr int max_extrapolation_order = 4;

/// Σ_k c_k θ^k up to `degree`, of one trial or of several (lanes.hpp).
template <int degree, class Real, std::size_t size>
Real polynomial_value(const std::array<Real, size>& c, double theta) {
  Real sum = c[degree];
  for (std::size_t k = degree; k > 0; --k) {
    sum = c[k - 1] + theta * sum;
  }
  return sum;
}

struct InputPolynomial {
  std::array<double, max_extrapolation_order + 1> coefficients{};

  double value(double theta) const {
    return polynomial_value<max_extrapolation_order>(coefficients, theta);
  }

  /// value(theta) of a polynomial whose coefficients above `degree` are 0, bit for bit.
  double value(double theta, int degree) const {
    double sum = coefficients[static_cast<std::size_t>(degree)];
    for (auto k = static_cast<std::size_t>(degree); k > 0; --k) {
      sum = coefficients[k - 1] + theta * sum;
    }
    return sum;
  }
};

/// A polynomial over [begin, begin + size] of its θ, as one of σ = (θ − begin)/size in [0, 1].
inline InputPolynomial part_of(const InputPolynomial& whole, double begin, double size) {
  InputPolynomial part = whole;
  auto& c = part.coefficients;
  for (std::size_t i = 0; i + 1 < c.size(); ++i) {  // repeated division by (θ − begin)
    for (std::size_t k = c.size() - 1; k > i; --k) {
      c[k - 1] += begin * c[k];
    }
  }
  double power = 1;
  for (double& coefficient : c) {
    coefficient *= power;
    power *= size;
  }
  return part;
}

/// Its derivative by θ at θ = 1.
inline double end_slope(const InputPolynomial& polynomial) {
  double slope = 0;
  for (std::size_t k = polynomial.coefficients.size() - 1; k > 0; --k) {
    slope += static_cast<double>(k) * polynomial.coefficients[k];
  }
  return slope;
}

struct InputDynamics;

/// One polynomial per input port, in port order; valid for one macro-step.
struct InputModel {
  std::span<const InputPolynomial> polynomials;
  int degree = max_extrapolation_order;  ///< no coefficient above it differs from 0
  /// If given: the inputs begin at the polynomials' coefficients 0 and move by it instead. Only for
  /// subsystems whose description says integrates_inputs.
  InputDynamics* dynamics = nullptr;
};

}  // namespace macrostep::models
