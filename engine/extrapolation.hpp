// How an input is continued over the macro-step from what is known at communication points.
//
//   order m     the Lagrange polynomial through the m + 1 newest values y(t_n), y(t_n − H), …
//   i1, i2      Taylor from derivative outputs at t_n alone, to the first or second derivative of
//   the
//               chain s, ṡ, s̈:  i1: s = s_n + ṡ_n τ, ṡ = ṡ_n
//                               i2: s = s_n + ṡ_n τ + ½ s̈_n τ², ṡ = ṡ_n + s̈_n τ
// (Rahikainen, González and Naya 2019, section 3.3 and Table 3.) Until m + 1 values exist, a
// polynomial takes as many as there are; afterwards the order is never lowered.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "models/input_polynomial.hpp"

namespace macrostep::engine {

/// In the order that breaks ties between equal results: the lower one wins.
enum class Extrapolation { order_0, order_1, order_2, order_3, order_4, i1, i2 };

inline constexpr std::array all_extrapolations{
    Extrapolation::order_0, Extrapolation::order_1, Extrapolation::order_2, Extrapolation::order_3,
    Extrapolation::order_4, Extrapolation::i1,      Extrapolation::i2};

std::string_view to_string(Extrapolation extrapolation);
std::optional<Extrapolation> extrapolation_from(std::string_view name);

/// Degree of the polynomial: m, with i1 as 1 and i2 as 2.
int order(Extrapolation extrapolation);

/// Whether values of the past are used (order m) or derivatives of the present (i1, i2).
bool uses_derivatives(Extrapolation extrapolation);

/// Backward differences of one output at the newest communication points: y, ∇y, ∇²y, …; those of
/// orders that are not used are 0.
using Differences = std::array<double, models::max_extrapolation_order + 1>;

/// Adds the newest value; differences up to `degree` are kept (start-up: as many as older values).
inline void remember(Differences& differences, double value, std::size_t degree) {
  for (std::size_t k = 0; k <= degree; ++k) {
    const double before = differences[k];
    differences[k] = value;
    value -= before;
  }
}

/// Newton's form of the polynomial through the newest values, with θ = 0 at the newest and θ = 1
/// one macro-step later: u(θ) = Σ_k ∇^k y · θ(θ+1)…(θ+k−1)/k!, in powers of θ.
inline models::InputPolynomial lagrange_polynomial(const Differences& d) {
  return {{d[0], d[1] + d[2] / 2 + d[3] * (1.0 / 3) + d[4] / 4,
           (d[2] + d[3]) / 2 + d[4] * (11.0 / 24), d[3] * (1.0 / 6) + d[4] / 4, d[4] * (1.0 / 24)}};
}

}  // namespace macrostep::engine
