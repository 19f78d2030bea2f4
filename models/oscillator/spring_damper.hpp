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

#include "models/oscillator/oscillator.hpp"

namespace macrostep::models {

struct LinearSpringDamper {
  static constexpr bool linear = true;
  double stiffness;
  double damping;

  double force(double elongation, double rate) const {
    return stiffness * elongation + damping * rate;
  }
  double force_per_elongation(double, double) const { return stiffness; }
  double force_per_rate(double, double) const { return damping; }
  double energy(double elongation) const { return 0.5 * stiffness * elongation * elongation; }
};

/// Stiff ends on both sides, at the distance s from the middle; 0: none.
struct EndStops {
  double distance = 0;
  double stiffness = 0;    ///< k_s
  double dissipation = 0;  ///< λ

  bool touched(double elongation) const { return distance != 0 && std::abs(elongation) > distance; }
  double force(double elongation, double rate) const {
    return pressing(elongation, rate) * stiffness * depth(elongation);
  }
  double force_per_elongation(double elongation, double rate) const {
    return std::abs(pressing(elongation, rate)) * stiffness;
  }
  double force_per_rate(double elongation, double rate) const {
    return pressing(elongation, rate) == 0 ? 0 : dissipation * stiffness * depth(elongation);
  }
  double energy(double elongation) const {
    return 0.5 * stiffness * depth(elongation) * depth(elongation);
  }

 private:
  double depth(double elongation) const { return std::abs(elongation) - distance; }
  /// sgn(η) max(0, 1 + λ η̇ sgn(η))
  double pressing(double elongation, double rate) const {
    const double side = std::copysign(1.0, elongation);
    return side * std::max(0.0, 1 + dissipation * rate * side);
  }
};

struct NonlinearSpringDamper {
  static constexpr bool linear = false;
  /// The slope of a square-root spring is infinite at rest; implicit methods are given the slope at
  /// this elongation instead, which changes how they converge and not where to.
  static constexpr double smallest_slope_elongation_m = 1e-6;

  double stiffness;
  double damping;
  double spring_exponent;
  double damper_exponent;
  double smallest_damping;
  double largest_damping;
  double gap = 0;
  EndStops stops = {};

  double force(double elongation, double rate) const {
    const double free = gap != 0 ? gap_force(elongation, rate)
                                 : std::copysign(spring(std::abs(elongation)), elongation) +
                                       damping_at(rate) * rate;
    return stops.touched(elongation) ? free + stops.force(elongation, rate) : free;
  }
  double force_per_elongation(double elongation, double rate) const {
    double slope = 0;
    if (gap == 0) {
      slope = spring_slope(std::abs(elongation));
    } else if (gap_force(elongation, rate) != 0) {
      const double p = depth(elongation);
      slope = spring_slope(p) +
              (damper_share(p) < 1
                   ? damping_at(rate) * rate * std::copysign(full_damping / gap, elongation)
                   : 0);
    }
    return stops.touched(elongation) ? slope + stops.force_per_elongation(elongation, rate) : slope;
  }
  double force_per_rate(double elongation, double rate) const {
    double slope = 0;
    if (gap == 0) {
      slope = damper_slope(rate);
    } else if (gap_force(elongation, rate) != 0) {
      slope = damper_share(depth(elongation)) * damper_slope(rate);
    }
    return stops.touched(elongation) ? slope + stops.force_per_rate(elongation, rate) : slope;
  }
  double energy(double elongation) const {
    const double size = gap == 0 ? std::abs(elongation) : std::max(0.0, depth(elongation));
    const double own = stiffness * power(size, spring_exponent) * size / (spring_exponent + 1);
    return stops.touched(elongation) ? own + stops.energy(elongation) : own;
  }

 private:
  /// Gap over the depth from which on the damper acts in full.
  static constexpr double full_damping = 10;

  double depth(double elongation) const { return std::abs(elongation) - 0.5 * gap; }
  double damper_share(double p) const { return std::min(1.0, full_damping * p / gap); }
  double gap_force(double elongation, double rate) const {
    const double p = depth(elongation);
    if (p <= 0) {
      return 0;
    }
    const double side = std::copysign(1.0, elongation);
    return side * std::max(0.0, spring(p) + damper_share(p) * damping_at(rate) * rate * side);
  }
  double spring(double size) const { return stiffness * power(size, spring_exponent); }
  double spring_slope(double size) const {
    const double at = std::max(size, smallest_slope_elongation_m);
    return stiffness * spring_exponent * power(at, spring_exponent) / at;
  }
  double damper_slope(double rate) const {
    const double free = damping * power(std::abs(rate), damper_exponent - 1);
    return free > smallest_damping && free < largest_damping ? damper_exponent * free
                                                             : damping_at(rate);
  }
  double damping_at(double rate) const {
    return std::clamp(damping * power(std::abs(rate), damper_exponent - 1), smallest_damping,
                      largest_damping);
  }
  /// The exponents of the literature without the cost of a general power.
  static double power(double base, double exponent) {
    return exponent == 1     ? base
           : exponent == 0.5 ? std::sqrt(base)
           : exponent == 0   ? 1
                             : std::pow(base, exponent);
  }
};

/// Of a coupling, whatever its exponents.
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
