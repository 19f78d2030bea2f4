// Sine and cosine of one angle or of several (lanes.hpp), with the same bits on every processor and
// whatever C library.
//
//   x = k π/2 + r,  |r| ≤ π/4        k the nearest integer, π/2 in three parts (Cody and Waite
//                                    1980): k times each of the first two is exact
//   sin r = Σ (−1)^n r^(2n+1)/(2n+1)!,  cos r = Σ (−1)^n r^(2n)/(2n)!,   n ≤ 8
//
// What the series leave out is below 1e-19 and 3e-18; the error is that of rounding, below 2e-16.
// Angles beyond 1e6 go to the C library.
#pragma once

#include <cmath>
#include <type_traits>

#include "models/subsystem/number.hpp"

namespace macrostep::models {

template <class Real>
struct SinCos {
  Real sin, cos;
};

namespace detail {

/// Σ c_n z^n, as two sums over z² that do not wait for each other.
template <class Real>
inline Real series(const Real& z, const double (&c)[8]) {
  const Real w = z * z;
  const Real even = c[0] + w * (c[2] + w * (c[4] + w * c[6]));
  const Real odd = c[1] + w * (c[3] + w * (c[5] + w * c[7]));
  return even + z * odd;
}

}  // namespace detail

template <class Real>
inline SinCos<Real> sin_cos(const Real& x) {
  using std::abs;
  constexpr double largest_angle = 1e6;
  constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  // 33 and 33 bits, and what is left.
  constexpr double half_pi_1 = 0x1.921fb544p+0;
  constexpr double half_pi_2 = 0x1.0b4611a6p-34;
  constexpr double half_pi_3 = 0x1.3198a2e037073p-69;
  // Added to a number below 2^51 it leaves the nearest integer in the last bits of the mantissa.
  constexpr double shift = 0x1.8p52;
  constexpr double of_sine[8] = {
      -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
      -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
  constexpr double of_cosine[8] = {
      1.0 / 24,        -1.0 / 720,         1.0 / 40320,          -1.0 / 3628800,
      1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000, 0};
  const auto near_0 = [&](const Real& r) -> SinCos<Real> {
    const Real z = r * r;
    return {r + r * z * detail::series<Real>(z, of_sine),
            1 - z / 2 + z * z * detail::series<Real>(z, of_cosine)};
  };
  if constexpr (std::is_same_v<Real, double>) {
    constexpr double below_quarter_pi = 0.78;  // k = 0 and r = x up to π/4
    if (abs(x) < below_quarter_pi) {
      return near_0(x);
    }
  }
  const Real shifted = x * two_over_pi + shift;
  const Real k = shifted - shift;
  const Real r = ((x - k * half_pi_1) - k * half_pi_2) - k * half_pi_3;
  const auto near = near_0(r);
  const MaskOf<Real> swapped = bit(shifted, 0);
  const MaskOf<Real> second = bit(shifted, 1);
  const Real s = select(swapped, near.cos, near.sin);
  const Real c = select(swapped, near.sin, near.cos);
  SinCos<Real> result{select(second, -s, s), select(MaskOf<Real>(swapped ^ second), -c, c)};
  const MaskOf<Real> beyond = !(abs(x) <= Real(largest_angle));
  if (any(beyond)) [[unlikely]] {
    const auto sine = [](double angle) { return std::sin(angle); };
    const auto cosine = [](double angle) { return std::cos(angle); };
    assign_where(beyond, result.sin, by_lane(x, sine));
    assign_where(beyond, result.cos, by_lane(x, cosine));
  }
  return result;
}

}  // namespace macrostep::models
