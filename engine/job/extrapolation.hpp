// How an input is continued over a window of time from what is known at communication points.
//
// θ = (t − t_n)/H is 0 at the newest value y_n and 1 one window later; ∇^k are backward
// differences.
//
//   order m        the polynomial of degree m through the m + 1 newest values (Lagrange, written in
//                  Newton's form): Σ_k ∇^k y · θ(θ+1)…(θ+k−1)/k!
//   i1, i2         Taylor from derivative outputs at t_n alone, to the first or second derivative
//                  of the chain s, ṡ, s̈:  i1: s = s_n + ṡ_n τ, ṡ = ṡ_n
//                                         i2: s = s_n + ṡ_n τ + ½ s̈_n τ², ṡ = ṡ_n + s̈_n τ
//   least_squares  the straight line that fits the five newest values best: less noise than order 1
//                  (five: ours)
//   smooth_c0      from the end of the last polynomial straight to what order 1 expects at
//                  θ = 1: no jumps (extrapolated interpolation; Busch 2016)
//   smooth         the same with a cubic that also leaves with the slope of the last polynomial and
//                  arrives with that of order 1: no kinks
//   hermite        the cubic through the two newest values and their derivative outputs
//   adaptive       the order 0 … 3 that would have predicted the newest value best, input by input:
//                  order m misses y_n by ∇^(m+1) y_n (ours)
//
// (Rahikainen, González and Naya 2019, section 3.3 and Table 3, for order m, i1 and i2.) Until a
// method has the values it needs it takes as many as there are; afterwards its order is never
// lowered. Where the value at the end of the window is known already (a source that stepped before,
// or an earlier iterate), the same polynomial is laid through it: θ = 0 is then the window's end.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "models/subsystem/input_polynomial.hpp"

namespace macrostep::engine {

/// In the order that breaks ties between equal results: the lower one wins.
enum class Extrapolation {
  order_0,
  order_1,
  order_2,
  order_3,
  order_4,
  i1,
  i2,
  least_squares,
  smooth_c0,
  smooth,
  hermite,
  adaptive
};

inline constexpr std::array all_extrapolations{
    Extrapolation::order_0, Extrapolation::order_1,       Extrapolation::order_2,
    Extrapolation::order_3, Extrapolation::order_4,       Extrapolation::i1,
    Extrapolation::i2,      Extrapolation::least_squares, Extrapolation::smooth_c0,
    Extrapolation::smooth,  Extrapolation::hermite,       Extrapolation::adaptive};

std::string_view to_string(Extrapolation extrapolation);
std::optional<Extrapolation> extrapolation_from(std::string_view name);

/// m: the input is met up to O(H^(m+1)). Of `adaptive`, the highest it may choose.
int order(Extrapolation extrapolation);

/// No coefficient of its polynomials above this one differs from 0.
int polynomial_degree(Extrapolation extrapolation);

/// How many values it takes before the newest one.
int older_values(Extrapolation extrapolation);

/// i1 and i2: one Taylor polynomial along a chain of derivatives, so that an input further down it
/// is integrated fewer times.
bool integrates_derivatives(Extrapolation extrapolation);

/// Whether every polynomial begins where the last one has ended (smooth, smooth_c0).
bool starts_from_last_end(Extrapolation extrapolation);

/// Whether inputs need the derivative outputs of their sources (i1, i2, hermite).
bool needs_derivatives(Extrapolation extrapolation);

/// Backward differences of one output at the newest communication points: y, ∇y, ∇²y, …; those of
/// orders that are not used are 0.
using Differences = std::array<double, models::max_extrapolation_order + 1>;

/// What is known of one input's source, and of how the input was continued before.
struct InputHistory {
  Differences differences{};
  int values = 0;             ///< how many have been seen, up to 5
  double slope = 0;           ///< ẏ at the newest value, per window: H·ẏ
  double previous_slope = 0;  ///< at the value before
  double curvature = 0;       ///< H²·ÿ at the newest value
  double end_value = 0;       ///< of the last polynomial, at its θ = 1
  double end_slope = 0;       ///< its derivative by θ there
};

/// A value of a source with its derivatives per window, as far as they are needed.
struct Sample {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

/// Adds the newest value; `older` is older_values() of the extrapolation.
inline void remember(InputHistory& history, double value, int older) {
  // A difference needs as many older values as its order.
  const int highest = std::min(older, history.values);
  for (std::size_t k = 0; k <= static_cast<std::size_t>(highest); ++k) {
    const double before = history.differences[k];
    history.differences[k] = value;
    value -= before;
  }
  history.values = std::min(history.values + 1, models::max_extrapolation_order + 1);
}

/// Adds the newest value; the number of older values is known when compiled.
template <int older>
void remember(InputHistory& history, double value) {
  if (history.values < older) {
    return remember(history, value, older);
  }
  for (std::size_t k = 0; k <= older; ++k) {
    const double before = history.differences[k];
    history.differences[k] = value;
    value -= before;
  }
  history.values = std::min(history.values + 1, models::max_extrapolation_order + 1);
}

/// Adds the newest value and its derivatives.
inline void remember(InputHistory& history, const Sample& sample, int older) {
  remember(history, sample.value, older);
  history.previous_slope = history.slope;
  history.slope = sample.slope;
  history.curvature = sample.curvature;
}

/// Newton's form Σ_k ∇^k y · θ(θ+1)…(θ+k−1)/k!, in powers of θ.
inline models::InputPolynomial lagrange_polynomial(const Differences& d) {
  return {{d[0], d[1] + d[2] / 2 + d[3] * (1.0 / 3) + d[4] / 4,
           (d[2] + d[3]) / 2 + d[4] * (11.0 / 24), d[3] * (1.0 / 6) + d[4] / 4, d[4] * (1.0 / 24)}};
}

/// Newton's form written into p, where the differences and the coefficients of p above the order
/// are 0 already.
template <int order>
void lagrange_polynomial(const Differences& d, models::InputPolynomial& p) {
  auto& c = p.coefficients;
  if constexpr (order <= 2) {
    c[0] = d[0];
    if constexpr (order == 1) {
      c[1] = d[1];
    } else if constexpr (order == 2) {
      c[1] = d[1] + d[2] / 2;
      c[2] = d[2] / 2;
    }
  } else {
    p = lagrange_polynomial(d);
  }
}

/// The polynomial that continues an input over the next window.
models::InputPolynomial continued(const InputHistory& history, Extrapolation extrapolation);

/// The polynomial laid through the value at the end of the window, which `history` holds as its
/// newest one.
models::InputPolynomial interpolated(const InputHistory& history, Extrapolation extrapolation);

}  // namespace macrostep::engine
