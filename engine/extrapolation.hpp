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
#include <span>
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

/// Values of one output at the newest communication points, newest first.
using History = std::span<const double>;

/// The polynomial through history[0 … degree], with θ = 0 at the newest value and θ = 1 one
/// macro-step later. degree < history.size().
models::InputPolynomial lagrange_polynomial(History history, int degree);

}  // namespace macrostep::engine
