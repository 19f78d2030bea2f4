// Numbers of several trials side by side, one per lane, so that one instruction serves them all.
//
// A function that is a template of its number type computes one trial with `double` and
// `lane_count` trials with `Lanes`. Every operation is the one of IEEE 754 in every lane, and none
// is contracted or reordered, so that a lane has the same bits as the trial alone. What would
// branch on a number chooses by lane instead: select(), any() and assign_where() are there for
// both.
//
// Lanes need AVX2 and are for files named *_avx2.cpp alone, which are compiled for it: without it
// trials run one by one. Nothing that such a file may share with others is compiled in it out of
// line (tests/models/lanes_test.cpp looks).
#pragma once

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "models/lane_count.hpp"

namespace macrostep::models {

// --- one number ---------------------------------------------------------------------------------

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
/// function(x) of the number in every lane where the mask is true.
template <class Function>
void replace_where(bool condition, double& target, double x, const Function& function) {
  if (condition) {
    target = function(x);
  }
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

// --- several ------------------------------------------------------------------------------------

#ifdef __AVX2__

namespace detail {

inline constexpr std::size_t vector_lanes = 4;
inline constexpr std::size_t vector_count = lane_count / vector_lanes;
using Vector = double __attribute__((vector_size(vector_lanes * sizeof(double))));
using VectorMask = std::int64_t __attribute__((vector_size(vector_lanes * sizeof(double))));
/// In memory, wherever: read and written whole, as a part of what was just written is waited for.
using StoredVector =
    double __attribute__((vector_size(vector_lanes * sizeof(double)), may_alias, aligned(8)));
using StoredMask =
    std::int64_t __attribute__((vector_size(vector_lanes * sizeof(double)), may_alias, aligned(8)));

}  // namespace detail

/// True (all bits set) or false (none) by lane.
struct LaneMask {
  detail::VectorMask part[detail::vector_count]{};

  static LaneMask load(const std::int64_t* flags) {
    LaneMask mask;
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      mask.part[i] = reinterpret_cast<const detail::StoredMask*>(flags)[i];
    }
    return mask;
  }
  void store(std::int64_t* flags) const {
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      reinterpret_cast<detail::StoredMask*>(flags)[i] = part[i];
    }
  }
  bool operator[](std::size_t lane) const {
    return part[lane / detail::vector_lanes][lane % detail::vector_lanes] != 0;
  }
  void set(std::size_t lane, bool value) {
    part[lane / detail::vector_lanes][lane % detail::vector_lanes] = value ? -1 : 0;
  }
  friend LaneMask operator&(LaneMask a, const LaneMask& b) {
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      a.part[i] &= b.part[i];
    }
    return a;
  }
  friend LaneMask operator|(LaneMask a, const LaneMask& b) {
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      a.part[i] |= b.part[i];
    }
    return a;
  }
  friend LaneMask operator^(LaneMask a, const LaneMask& b) {
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      a.part[i] ^= b.part[i];
    }
    return a;
  }
  friend LaneMask operator!(LaneMask a) {
    for (auto& part : a.part) {
      part = ~part;
    }
    return a;
  }
};

struct LaneCounts {
  detail::VectorMask part[detail::vector_count]{};

  std::int64_t operator[](std::size_t lane) const {
    return part[lane / detail::vector_lanes][lane % detail::vector_lanes];
  }
};

struct Lanes {
  detail::Vector part[detail::vector_count];

  Lanes() = default;
  /// A parameter of a model stands for all lanes.
  Lanes(double value) {
    for (auto& one : part) {
      one = detail::Vector{} + value;
    }
  }
  static Lanes load(const double* values) {
    Lanes x;
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      x.part[i] = reinterpret_cast<const detail::StoredVector*>(values)[i];
    }
    return x;
  }
  void store(double* values) const {
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      reinterpret_cast<detail::StoredVector*>(values)[i] = part[i];
    }
  }
  double operator[](std::size_t lane) const {
    return part[lane / detail::vector_lanes][lane % detail::vector_lanes];
  }

  friend Lanes operator+(Lanes a, const Lanes& b) {
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      a.part[i] = a.part[i] + b.part[i];
    }
    return a;
  }
  friend Lanes operator-(Lanes a, const Lanes& b) {
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      a.part[i] = a.part[i] - b.part[i];
    }
    return a;
  }
  friend Lanes operator*(Lanes a, const Lanes& b) {
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      a.part[i] = a.part[i] * b.part[i];
    }
    return a;
  }
  friend Lanes operator/(Lanes a, const Lanes& b) {
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      a.part[i] = a.part[i] / b.part[i];
    }
    return a;
  }
  friend Lanes operator-(Lanes a) {
    for (auto& part : a.part) {
      part = -part;
    }
    return a;
  }
  Lanes& operator+=(const Lanes& other) { return *this = *this + other; }
  Lanes& operator-=(const Lanes& other) { return *this = *this - other; }
  Lanes& operator*=(const Lanes& other) { return *this = *this * other; }

  friend LaneMask operator<(const Lanes& a, const Lanes& b) {
    LaneMask mask;
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      mask.part[i] = a.part[i] < b.part[i];
    }
    return mask;
  }
  friend LaneMask operator<=(const Lanes& a, const Lanes& b) {
    LaneMask mask;
    for (std::size_t i = 0; i < detail::vector_count; ++i) {
      mask.part[i] = a.part[i] <= b.part[i];
    }
    return mask;
  }
  friend LaneMask operator>(const Lanes& a, const Lanes& b) { return b < a; }
  friend LaneMask operator>=(const Lanes& a, const Lanes& b) { return b <= a; }
};

template <>
struct MaskOfReal<Lanes> {
  using Type = LaneMask;
};
template <>
struct CountOfReal<Lanes> {
  using Type = LaneCounts;
};

template <>
inline LaneMask all_of<Lanes>() {
  return !LaneMask{};
}
inline Lanes select(const LaneMask& mask, const Lanes& yes, const Lanes& no) {
  Lanes result;
  for (std::size_t i = 0; i < detail::vector_count; ++i) {
    result.part[i] = mask.part[i] ? yes.part[i] : no.part[i];
  }
  return result;
}
inline void assign_where(const LaneMask& mask, Lanes& target, const Lanes& value) {
  target = select(mask, value, target);
}
inline bool any(const LaneMask& mask) {
  detail::VectorMask sum = mask.part[0];
  for (std::size_t i = 1; i < detail::vector_count; ++i) {
    sum |= mask.part[i];
  }
  return (sum[0] | sum[1] | sum[2] | sum[3]) != 0;
}
inline void count(LaneCounts& counts, const LaneMask& mask) {
  for (std::size_t i = 0; i < detail::vector_count; ++i) {
    counts.part[i] -= mask.part[i];
  }
}

inline Lanes abs(Lanes x) {
  constexpr std::int64_t all_but_sign = std::numeric_limits<std::int64_t>::max();
  for (auto& part : x.part) {
    part = (detail::Vector)((detail::VectorMask)part & all_but_sign);
  }
  return x;
}
inline Lanes copysign(const Lanes& magnitude, const Lanes& sign) {
  constexpr std::int64_t sign_alone = std::numeric_limits<std::int64_t>::min();
  Lanes result = abs(magnitude);
  for (std::size_t i = 0; i < detail::vector_count; ++i) {
    result.part[i] = (detail::Vector)((detail::VectorMask)result.part[i] |
                                      ((detail::VectorMask)sign.part[i] & sign_alone));
  }
  return result;
}
inline Lanes sqrt(Lanes x) {
  for (auto& part : x.part) {
    part = __builtin_ia32_sqrtpd256(part);
  }
  return x;
}
inline LaneMask is_finite(const Lanes& x) {
  return abs(x) <= Lanes(std::numeric_limits<double>::max());
}
inline LaneMask bit(const Lanes& x, int which) {
  LaneMask mask;
  for (std::size_t i = 0; i < detail::vector_count; ++i) {
    mask.part[i] = ((detail::VectorMask)x.part[i] & (std::int64_t{1} << which)) != 0;
  }
  return mask;
}
template <class Function>
void replace_where(const LaneMask& mask, Lanes& target, const Lanes& x, const Function& function) {
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (mask[lane]) {
      target.part[lane / detail::vector_lanes][lane % detail::vector_lanes] = function(x[lane]);
    }
  }
}

#endif

}  // namespace macrostep::models

#ifdef __AVX2__
template <>
struct Eigen::NumTraits<macrostep::models::Lanes>
    : Eigen::GenericNumTraits<macrostep::models::Lanes> {
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 0 };
  enum { ReadCost = 1, AddCost = 1, MulCost = 1 };
};
#endif
