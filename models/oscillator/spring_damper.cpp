#include "models/oscillator/spring_damper.hpp"

#include <algorithm>
#include <cmath>

namespace macrostep::models {

namespace {

using Law = NonlinearSpringDamper;

/// Gap over the depth from which on the damper acts in full.
constexpr double full_damping = 10;

// --- end stops ----------------------------------------------------------------------------------

double depth(const EndStops& stops, double elongation) {
  return std::abs(elongation) - stops.distance;
}
bool touched(const EndStops& stops, double elongation) {
  return stops.distance != 0 && depth(stops, elongation) > 0;
}
/// sgn(η) max(0, 1 + λ η̇ sgn(η))
double pressing(const EndStops& stops, double elongation, double rate) {
  const double side = std::copysign(1.0, elongation);
  return side * std::max(0.0, 1 + stops.dissipation * rate * side);
}

// --- spring and damper --------------------------------------------------------------------------

/// The exponents of the literature without the cost of a general power.
double power(double base, double exponent) {
  return exponent == 1     ? base
         : exponent == 0.5 ? std::sqrt(base)
         : exponent == 0   ? 1
                           : std::pow(base, exponent);
}
double spring(const Law& law, double size) {
  return law.stiffness * power(size, law.spring_exponent);
}
double spring_slope(const Law& law, double size) {
  const double at = std::max(size, smallest_slope_elongation_m);
  return law.stiffness * law.spring_exponent * power(at, law.spring_exponent) / at;
}
double unclamped_damping(const Law& law, double rate) {
  return law.damping * power(std::abs(rate), law.damper_exponent - 1);
}
double damping_at(const Law& law, double rate) {
  return std::clamp(unclamped_damping(law, rate), law.smallest_damping, law.largest_damping);
}
double damper_slope(const Law& law, double rate) {
  const double free = unclamped_damping(law, rate);
  return free > law.smallest_damping && free < law.largest_damping ? law.damper_exponent * free
                                                                   : damping_at(law, rate);
}

// --- with a gap ---------------------------------------------------------------------------------

double depth(const Law& law, double elongation) {
  return std::abs(elongation) - 0.5 * law.gap;
}
double damper_share(const Law& law, double p) {
  return std::min(1.0, full_damping * p / law.gap);
}
double gap_force(const Law& law, double elongation, double rate) {
  const double p = depth(law, elongation);
  if (p <= 0) {
    return 0;
  }
  const double side = std::copysign(1.0, elongation);
  return side *
         std::max(0.0, spring(law, p) + damper_share(law, p) * damping_at(law, rate) * rate * side);
}

double force_per_elongation(const Law& law, double elongation, double rate) {
  double slope = 0;
  if (law.gap == 0) {
    slope = spring_slope(law, std::abs(elongation));
  } else if (gap_force(law, elongation, rate) != 0) {
    const double p = depth(law, elongation);
    slope = spring_slope(law, p) +
            (damper_share(law, p) < 1
                 ? damping_at(law, rate) * rate * std::copysign(full_damping / law.gap, elongation)
                 : 0);
  }
  const auto& stops = law.stops;
  return touched(stops, elongation)
             ? slope + std::abs(pressing(stops, elongation, rate)) * stops.stiffness
             : slope;
}

double force_per_rate(const Law& law, double elongation, double rate) {
  double slope = 0;
  if (law.gap == 0) {
    slope = damper_slope(law, rate);
  } else if (gap_force(law, elongation, rate) != 0) {
    slope = damper_share(law, depth(law, elongation)) * damper_slope(law, rate);
  }
  const auto& stops = law.stops;
  const bool presses = touched(stops, elongation) && pressing(stops, elongation, rate) != 0;
  return presses ? slope + stops.dissipation * stops.stiffness * depth(stops, elongation) : slope;
}

}  // namespace

double NonlinearSpringDamper::force(double elongation, double rate) const {
  const double free = gap != 0 ? gap_force(*this, elongation, rate)
                               : std::copysign(spring(*this, std::abs(elongation)), elongation) +
                                     damping_at(*this, rate) * rate;
  return touched(stops, elongation)
             ? free + pressing(stops, elongation, rate) * stops.stiffness * depth(stops, elongation)
             : free;
}

SpringForce NonlinearSpringDamper::law(double elongation, double rate) const {
  return {force(elongation, rate), force_per_elongation(*this, elongation, rate),
          force_per_rate(*this, elongation, rate)};
}

double NonlinearSpringDamper::energy(double elongation) const {
  const double size = gap == 0 ? std::abs(elongation) : std::max(0.0, depth(*this, elongation));
  const double own = stiffness * power(size, spring_exponent) * size / (spring_exponent + 1);
  const double in_stop = depth(stops, elongation);
  return touched(stops, elongation) ? own + 0.5 * stops.stiffness * in_stop * in_stop : own;
}

}  // namespace macrostep::models
