// What a function that is a template of its number type asks of it, for one number; the same for
// several, each of another trial, is in lanes.hpp.
//
// What would branch on a number chooses by it instead: select(), any() and assign_where().
#pragma once

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <cstdint>

namespace macrostep::models {

template <class Real>
struct MaskOfReal;
template <>
struct MaskOfReal<double> {
  using Type = bool;
};
/// What a comparison of two numbers gives.
template <class Real>
using MaskOf = typename MaskOfReal<Real>::Type;

/// Counts by lane.
template <class Real>
struct CountOfReal;
template <>
struct CountOfReal<double> {
  using Type = std::int64_t;
};
template <class Real>
using CountOf = typename CountOfReal<Real>::Type;

template <class Real>
MaskOf<Real> all_of();
template <>
inline bool all_of<double>() {
  return true;
}
inline double select(bool condition, double yes, double no) {
  return condition ? yes : no;
}
inline bool any(bool condition) {
  return condition;
}
inline bool is_finite(double x) {
  return std::isfinite(x);
}
inline void count(std::int64_t& count, bool condition) {
  count += condition ? 1 : 0;
}
inline void assign_where(bool condition, double& target, double value) {
  if (condition) {
    target = value;
  }
}

/// Whether a bit of its representation is set; bit 0 is the last of the mantissa.
inline bool bit(double x, int which) {
  return (std::bit_cast<std::uint64_t>(x) >> which & 1) != 0;
}
/// function(x) of the number in every lane.
template <class Function>
double by_lane(double x, const Function& function) {
  return function(x);
}

/// As std::max: the first where they do not compare.
template <class Real>
Real larger(const Real& a, const Real& b) {
  return select(a < b, b, a);
}

/// Number by number: a vector written at once would be read back only when all of it is there.
template <class Mask, class Vector>
void assign_where(const Mask& condition, Vector& target, const Vector& value) {
  for (Eigen::Index i = 0; i < value.size(); ++i) {
    assign_where(condition, target[i], value[i]);
  }
}

}  // namespace macrostep::models
