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
#pragma once

#include <algorithm>
#include <cmath>

namespace macrostep::models {

struct LinearSpringDamper {
  static constexpr bool linear = true;
  double stiffness;
  double damping;

  double force(double elongation, double rate) const {
    return stiffness * elongation + damping * rate;
  }
  double force_per_elongation(double) const { return stiffness; }
  double force_per_rate(double) const { return damping; }
  double energy(double elongation) const { return 0.5 * stiffness * elongation * elongation; }
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

  double force(double elongation, double rate) const {
    return std::copysign(stiffness * power(std::abs(elongation), spring_exponent), elongation) +
           damping_at(rate) * rate;
  }
  double force_per_elongation(double elongation) const {
    const double at = std::max(std::abs(elongation), smallest_slope_elongation_m);
    return stiffness * spring_exponent * power(at, spring_exponent) / at;
  }
  double force_per_rate(double rate) const {
    const double free = damping * power(std::abs(rate), damper_exponent - 1);
    return free > smallest_damping && free < largest_damping ? damper_exponent * free
                                                             : damping_at(rate);
  }
  double energy(double elongation) const {
    const double size = std::abs(elongation);
    return stiffness * power(size, spring_exponent) * size / (spring_exponent + 1);
  }

 private:
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

}  // namespace macrostep::models
