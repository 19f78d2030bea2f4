// Directional and adjoint derivatives against differences.
//
// A central difference of width δ has an error of δ²/6 of the third derivative, and one of
// roundings, ε|f|/δ. With δ = 10⁻⁵ of the value both are near 10⁻¹⁰ of the slope of a smooth
// function; an FMU that solves equations inside to 10⁻⁹ has differences good to 10⁻⁴. So a slope
// counts as another one only when it is off by more than 10⁻³ of itself and by more than ten times
// what differences of two widths differ by: near a kink or with noise these tell nothing.
#pragma once

#include <span>

#include "models/fmi/sequences/sequences.hpp"

namespace macrostep::models::fmi::calls {

std::span<const Sequence> derivative_sequences();

}  // namespace macrostep::models::fmi::calls
