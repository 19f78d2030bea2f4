// A spring and a damper in parallel, with elongation η and rate η̇; the force pulls its ends
// together.
//
//   linear     f = k η + c η̇                                  potential energy ½ k η²
//   nonlinear  f = k sgn(η) |η|^n_s + d(η̇) η̇                  k |η|^(n_s+1)/(n_s+1)
//              d(η̇) = max(min(c |η̇|^(n_d−1), d_max), d_min)
//
// n_s = 1/2 is the square-root spring of Rodríguez et al. (2022), eq. 22, with the energy
// ⅔ k |η|^1.5; n_d = 2 their quadratic damper, eq. 23; a free n_d with d_min and d_max is the
// clamped damper of Haid et al. (2022), eq. 43, whose left side is printed c_k and is d_k.
//
// The nonlinear one may have a gap g (backlash): it then acts over p = |η| − g/2 alone, and presses
// only, with a damper that comes in over a tenth of the gap, so that the force is continuous:
//
//   f = sgn(η) max(0, k p^n_s + min(1, 10 p/g) d(η̇) η̇ sgn(η))   for p > 0, else 0
//
// and end stops at η = ± s, with the contact force of Hunt and Crossley (1975), which does not jump
// either and never pulls:
//
//   f_s = sgn(η) k_s p max(0, 1 + λ η̇ sgn(η)),   p = |η| − s > 0,   energy ½ k_s p²
#pragma once

#include <algorithm>
#include <cmath>

#include "models/oscillator/parameters.hpp"

namespace macrostep::models {

/// A force and its slopes.
struct SpringForce {
  double force, per_elongation, per_rate;
};

struct LinearSpringDamper {
  static constexpr bool linear = true;
  double stiffness;
  double damping;

  SpringForce law(double elongation, double rate) const {
    return {force(elongation, rate), stiffness, damping};
  }

  double force(double elongation, double rate) const {
    return stiffness * elongation + damping * rate;
  }
  double energy(double elongation) const { return 0.5 * stiffness * elongation * elongation; }
};

/// The slope of a square-root spring is infinite at rest; implicit methods are given the slope at
/// this elongation instead, which changes how they converge and not where to.
inline constexpr double smallest_slope_elongation_m = 1e-6;

/// The nonlinear one with n_s = 1/2 and n_d = 2, without a gap or stops: the exponents of the
/// literature, without what a choice of them costs at every micro-step.
struct SquareRootSpringDamper {
  static constexpr bool linear = false;
  double stiffness;
  double damping;
  double smallest_damping;
  double largest_damping;

  double force(double elongation, double rate) const {
    return std::copysign(stiffness * std::sqrt(std::abs(elongation)), elongation) +
           damping_at(rate) * rate;
  }
  SpringForce law(double elongation, double rate) const {
    const double root = std::sqrt(std::abs(elongation));
    const double smallest_root = std::sqrt(smallest_slope_elongation_m);
    const double d = damping_at(rate);
    return {std::copysign(stiffness * root, elongation) + d * rate,
            0.5 * stiffness / std::max(root, smallest_root),
            d > smallest_damping && d < largest_damping ? 2 * d : d};
  }
  double energy(double elongation) const {
    const double size = std::abs(elongation);
    return stiffness * std::sqrt(size) * size / 1.5;
  }

 private:
  double damping_at(double rate) const {
    const double free = damping * std::abs(rate);
    if (free >= smallest_damping && free <= largest_damping) [[likely]] {
      return free;
    }
    return clamped(free);
  }
  /// Out of the way: the micro-steps would wait for two more operations.
  [[gnu::noinline, gnu::cold]] double clamped(double free) const {
    return std::clamp(free, smallest_damping, largest_damping);
  }
};

/// Stiff ends on both sides, at the distance s from the middle; 0: none.
struct EndStops {
  double distance = 0;
  double stiffness = 0;    ///< k_s
  double dissipation = 0;  ///< λ
};

/// Any of the nonlinear ones. Not compiled together with the micro-steps, which would take long for
/// what few use.
struct NonlinearSpringDamper {
  static constexpr bool linear = false;

  double stiffness;
  double damping;
  double spring_exponent;
  double damper_exponent;
  double smallest_damping;
  double largest_damping;
  double gap = 0;
  EndStops stops = {};

  double force(double elongation, double rate) const;
  SpringForce law(double elongation, double rate) const;
  double energy(double elongation) const;
};

/// The law of a coupling, whatever its exponents.
inline NonlinearSpringDamper law_of(const CouplingParameters& p) {
  return {p.stiffness_n_per_m,
          p.damping_ns_per_m,
          p.spring_exponent,
          p.damper_exponent,
          p.smallest_damping_ns_per_m,
          p.largest_damping_ns_per_m,
          p.gap_m};
}

}  // namespace macrostep::models
