// Numbers of several trials side by side, one per lane, so that one instruction serves them all.
//
// A function that is a template of its number type computes one trial with `double` (number.hpp)
// and `lane_count` trials with `Lanes`. Every operation is the one of IEEE 754 in every lane, and
// none is contracted or reordered, so that a lane has the same bits as the trial alone.
//
// Lanes are for files named *_avx2.cpp and *_avx512.cpp, which are compiled for these instructions:
// without either trials run one by one. What the linker might share of such a file is in the
// namespace of its level, as no other may have it (tests/models/lanes/lanes_test.cpp looks).
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "models/lanes/lane_count.hpp"
#include "models/subsystem/number.hpp"

namespace macrostep::models {

#ifdef __AVX512F__
#define MACROSTEP_LANES avx512
#elif defined(__AVX2__)
#define MACROSTEP_LANES avx2
#endif

#ifdef MACROSTEP_LANES

inline namespace MACROSTEP_LANES {

/// What this file is compiled for.
inline constexpr LaneLevel compiled_level = LaneLevel::MACROSTEP_LANES;

namespace detail {

#ifdef __AVX512F__
inline constexpr std::size_t vector_lanes = 8;
#else
inline constexpr std::size_t vector_lanes = 4;
#endif
static_assert(lane_count == 8);

using DoubleVector = double __attribute__((vector_size(vector_lanes * sizeof(double))));
using IntegerVector = std::int64_t __attribute__((vector_size(vector_lanes * sizeof(double))));

/// A number of every lane in as many vectors as it takes. By name: as an array the compiler would
/// keep them in memory. Read and written whole: a part of what was just written is waited for.
template <class Number, class OneVector>
struct Vectors {
  using Vector = OneVector;

  Vector first;
#ifndef __AVX512F__
  Vector second;
#endif

  static Vectors load(const Number* values) {
    Vectors loaded;
    std::memcpy(&loaded.first, values, sizeof(Vector));
#ifndef __AVX512F__
    std::memcpy(&loaded.second, values + vector_lanes, sizeof(Vector));
#endif
    return loaded;
  }
  void store(Number* values) const {
    std::memcpy(values, &first, sizeof(Vector));
#ifndef __AVX512F__
    std::memcpy(values + vector_lanes, &second, sizeof(Vector));
#endif
  }
  Number get(std::size_t lane) const {
#ifndef __AVX512F__
    if (lane >= vector_lanes) {
      return second[lane - vector_lanes];
    }
#endif
    return first[lane];
  }
  void set(std::size_t lane, Number value) {
#ifndef __AVX512F__
    if (lane >= vector_lanes) {
      second[lane - vector_lanes] = value;
      return;
    }
#endif
    first[lane] = value;
  }
};

using Numbers = Vectors<double, DoubleVector>;
using Integers = Vectors<std::int64_t, IntegerVector>;

/// function(vectors) of one vector of each after the other.
template <class Result, class Function, class... Arguments>
Result each(const Function& function, const Arguments&... of) {
#ifdef __AVX512F__
  return {function(of.first...)};
#else
  return {function(of.first...), function(of.second...)};
#endif
}

}  // namespace detail

/// True (all bits set) or false (none) by lane.
struct LaneMask {
  detail::Integers flags{};

  static LaneMask load(const std::int64_t* flags) { return {detail::Integers::load(flags)}; }
  void store(std::int64_t* into) const { flags.store(into); }
  bool operator[](std::size_t lane) const { return flags.get(lane) != 0; }
  void set(std::size_t lane, bool value) { flags.set(lane, value ? -1 : 0); }

  friend LaneMask operator&(const LaneMask& a, const LaneMask& b) {
    return {detail::each<detail::Integers>([](auto x, auto y) { return x & y; }, a.flags, b.flags)};
  }
  friend LaneMask operator|(const LaneMask& a, const LaneMask& b) {
    return {detail::each<detail::Integers>([](auto x, auto y) { return x | y; }, a.flags, b.flags)};
  }
  friend LaneMask operator^(const LaneMask& a, const LaneMask& b) {
    return {detail::each<detail::Integers>([](auto x, auto y) { return x ^ y; }, a.flags, b.flags)};
  }
  friend LaneMask operator!(const LaneMask& a) {
    return {detail::each<detail::Integers>([](auto x) { return ~x; }, a.flags)};
  }
};

struct LaneCounts {
  detail::Integers counts{};

  std::int64_t operator[](std::size_t lane) const { return counts.get(lane); }
};

struct Lanes {
  detail::Numbers numbers;

  Lanes() = default;
  Lanes(const detail::Numbers& values) : numbers(values) {}
  /// A parameter of a model stands for all lanes.
  Lanes(double value)
      : numbers(detail::each<detail::Numbers>([value](auto zero) { return value - zero; },
                                              detail::Numbers{})) {}
  static Lanes load(const double* values) { return detail::Numbers::load(values); }
  void store(double* values) const { numbers.store(values); }
  double operator[](std::size_t lane) const { return numbers.get(lane); }

  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return detail::each<detail::Numbers>([](auto x, auto y) { return x + y; }, a.numbers,
                                         b.numbers);
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return detail::each<detail::Numbers>([](auto x, auto y) { return x - y; }, a.numbers,
                                         b.numbers);
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return detail::each<detail::Numbers>([](auto x, auto y) { return x * y; }, a.numbers,
                                         b.numbers);
  }
  friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return detail::each<detail::Numbers>([](auto x, auto y) { return x / y; }, a.numbers,
                                         b.numbers);
  }
  friend Lanes operator-(const Lanes& a) {
    return detail::each<detail::Numbers>([](auto x) { return -x; }, a.numbers);
  }
  Lanes& operator+=(const Lanes& other) { return *this = *this + other; }
  Lanes& operator-=(const Lanes& other) { return *this = *this - other; }
  Lanes& operator*=(const Lanes& other) { return *this = *this * other; }

  friend LaneMask operator<(const Lanes& a, const Lanes& b) {
    return {
        detail::each<detail::Integers>([](auto x, auto y) { return x < y; }, a.numbers, b.numbers)};
  }
  friend LaneMask operator<=(const Lanes& a, const Lanes& b) {
    return {detail::each<detail::Integers>([](auto x, auto y) { return x <= y; }, a.numbers,
                                           b.numbers)};
  }
  friend LaneMask operator>(const Lanes& a, const Lanes& b) { return b < a; }
};

}  // namespace MACROSTEP_LANES

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

inline namespace MACROSTEP_LANES {

inline Lanes select(const LaneMask& mask, const Lanes& yes, const Lanes& no) {
  return detail::each<detail::Numbers>([](auto m, auto y, auto n) { return m ? y : n; }, mask.flags,
                                       yes.numbers, no.numbers);
}
inline void assign_where(const LaneMask& mask, Lanes& target, const Lanes& value) {
  target = select(mask, value, target);
}
inline bool any(const LaneMask& mask) {
#ifdef __AVX512F__
  const auto bits = reinterpret_cast<__m512i>(mask.flags.first);
  return _mm512_test_epi64_mask(bits, bits) != 0;
#else
  const auto either = mask.flags.first | mask.flags.second;
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(either)) != 0;
#endif
}
inline void count(LaneCounts& counts, const LaneMask& mask) {
  counts.counts = detail::each<detail::Integers>([](auto sum, auto flag) { return sum - flag; },
                                                 counts.counts, mask.flags);
}

namespace detail {

inline constexpr std::int64_t all_but_sign = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t sign_alone = std::numeric_limits<std::int64_t>::min();

/// The bits of a vector as those of another.
template <class To, class From>
To as(From vector) {
  return reinterpret_cast<To>(vector);
}

}  // namespace detail

inline Lanes abs(const Lanes& x) {
  return detail::each<detail::Numbers>(
      [](auto value) {
        return detail::as<detail::Numbers::Vector>(detail::as<detail::Integers::Vector>(value) &
                                                   detail::all_but_sign);
      },
      x.numbers);
}
inline Lanes copysign(const Lanes& magnitude, const Lanes& sign) {
  return detail::each<detail::Numbers>(
      [](auto value, auto signed_value) {
        return detail::as<detail::Numbers::Vector>(
            detail::as<detail::Integers::Vector>(value) |
            (detail::as<detail::Integers::Vector>(signed_value) & detail::sign_alone));
      },
      abs(magnitude).numbers, sign.numbers);
}
inline Lanes sqrt(const Lanes& x) {
  return detail::each<detail::Numbers>(
      [](auto value) {
#ifdef __AVX512F__
        return _mm512_mask_sqrt_pd(value, 0xff, value);
#else
        return _mm256_sqrt_pd(value);
#endif
      },
      x.numbers);
}
inline LaneMask is_finite(const Lanes& x) {
  return abs(x) <= Lanes(std::numeric_limits<double>::max());
}
inline LaneMask bit(const Lanes& x, int which) {
  return {detail::each<detail::Integers>(
      [which](auto value) {
        return (detail::as<detail::Integers::Vector>(value) & (std::int64_t{1} << which)) != 0;
      },
      x.numbers)};
}
/// Not for where it counts: out of line, as calls of functions want all registers for themselves.
template <class Function>
[[gnu::noinline, gnu::cold]] Lanes by_lane(Lanes x, const Function& function) {
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    x.numbers.set(lane, function(x[lane]));
  }
  return x;
}

}  // namespace MACROSTEP_LANES

#endif

}  // namespace macrostep::models

#ifdef MACROSTEP_LANES
template <>
struct Eigen::NumTraits<macrostep::models::Lanes>
    : Eigen::GenericNumTraits<macrostep::models::Lanes> {
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 0 };
  enum { ReadCost = 1, AddCost = 1, MulCost = 1 };
};
#endif
