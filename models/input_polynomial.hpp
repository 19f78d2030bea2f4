// Inputs of a subsystem over one macro-step, as polynomials.
//
//   u(θ) = Σ_k c_k θ^k,   θ = (t − t_n)/H in [0, 1] over the macro-step [t_n, t_n + H]
//
// The normalised time keeps the coefficients in the units of the input and of its size. The degree
// is fixed, so that evaluating any extrapolation costs the same few multiplications.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace macrostep::models {

inline constexpr std::size_t max_extrapolation_order = 4;

struct InputPolynomial {
  std::array<double, max_extrapolation_order + 1> coefficients{};

  double value(double theta) const {
    const auto& c = coefficients;
    return c[0] + theta * (c[1] + theta * (c[2] + theta * (c[3] + theta * c[4])));
  }
};

/// One polynomial per input port, in port order; valid for one macro-step.
struct InputModel {
  std::span<const InputPolynomial> polynomials;
};

}  // namespace macrostep::models
