// The coupled pendula, written by hand: see bare/steps.hpp.
#pragma once

#include <cmath>
#include <cstddef>

#include "models/pendulum/coupled_pendula.hpp"
#include "tests/bench/bare/steps.hpp"

namespace macrostep::bench {

/// Sprung: u is position and velocity of the other tip. Else it is a force on this one.
/// `cartesian`: x = [r; ṙ], else [θ; θ̇].
template <bool sprung, bool cartesian>
class BarePendulum {
 public:
  static constexpr std::size_t states = cartesian ? 4 : 2, inputs = sprung ? 4 : 2;

  BarePendulum(const models::PendulumSetup& setup, double external_force_n, double h)
      : length_(setup.pendulum.length_m),
        inverse_length_(1 / length_),
        inverse_mass_(1 / setup.pendulum.mass_kg),
        inverse_inertia_(inverse_mass_ * inverse_length_),
        pivot_x_(setup.pendulum.pivot_x_m),
        gravity_(setup.pendulum.gravity_m_per_s2),
        gravity_over_length_(gravity_ * inverse_length_),
        stiffness_(setup.coupling.stiffness_n_per_m),
        damping_(setup.coupling.damping_ns_per_m),
        natural_length_(setup.natural_length_m),
        external_force_(external_force_n),
        h_(h),
        inverse_h_(1 / h),
        tolerance_{newton_tolerance, newton_tolerance * std::sqrt(1 + gravity_over_length_)} {}

  Numbers<2> rate(const Numbers<2>& x, const Numbers<inputs>& u) const {
    const double s = std::sin(x[0]);
    const double c = std::cos(x[0]);
    const auto f = force(tip(s, c, x[1]), u);
    return {x[1], (c * f.x + s * f.y) * inverse_inertia_ - gravity_over_length_ * s};
  }

  bool trapezoidal(Numbers<2>& x, const Numbers<inputs>& u, const Numbers<inputs>& u_end) const {
    return trapezoidal_second_order<false>(*this, x, u, u_end, h_, tolerance_);
  }

  Acceleration slopes(const Numbers<2>& x, const Numbers<inputs>& u) const {
    const double s = std::sin(x[0]);
    const double c = std::cos(x[0]);
    const auto f = force(tip(s, c, x[1]), u);
    double by_angle = c * f.y - s * f.x;
    double by_rate = 0;
    if constexpr (sprung) {
      // n·t and n·dt/dθ: how the distance changes with θ, and how that does.
      const double along = f.n_x * c + f.n_y * s;
      const double inward = f.n_y * c - f.n_x * s;
      const double turning = (f.w_x * c + f.w_y * s - f.distance_rate * along) * f.inverse_distance;
      by_angle -= length_ * (along * (stiffness_ * along + damping_ * turning) +
                             f.tension * f.inverse_distance * (1 - along * along) +
                             x[1] * damping_ * along * inward);
      by_rate = -length_ * damping_ * along * along;
    }
    return {(c * f.x + s * f.y) * inverse_inertia_ - gravity_over_length_ * s,
            by_angle * inverse_inertia_ - gravity_over_length_ * c, by_rate * inverse_inertia_};
  }

  bool al_symplectic_euler(Numbers<4>& x, const Numbers<inputs>& u) const {
    const auto f = force({x[0], x[1], x[2], x[3]}, u);
    const double rod_x = x[0] - pivot_x_;
    const double slope_x = rod_x * inverse_length_;
    const double slope_y = x[1] * inverse_length_;
    const double free_x = x[2] + h_ * (f.x * inverse_mass_);
    const double free_y = x[3] + h_ * (f.y * inverse_mass_ - gravity_);
    const double free_end_x = rod_x + h_ * free_x;
    const double free_end_y = x[1] + h_ * free_y;
    double eta = 0;
    for (int i = 0; i < max_constraint_iterations; ++i) {
      const double next_x = free_end_x - eta * slope_x;
      const double next_y = free_end_y - eta * slope_y;
      const double violation =
          (next_x * next_x + next_y * next_y - length_ * length_) * (0.5 * inverse_length_);
      const double correction =
          violation / ((next_x * slope_x + next_y * slope_y) * inverse_length_ + 1 / penalty);
      eta += correction;
      if (std::abs(correction) <= 1e-14 * length_) {
        const double pull = eta * inverse_h_;
        x[2] = free_x - pull * slope_x;
        x[3] = free_y - pull * slope_y;
        x[0] += h_ * x[2];
        x[1] += h_ * x[3];
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr double penalty = 1e9;
  static constexpr int max_constraint_iterations = 20;

  struct Tip {
    double x, y, v_x, v_y;
  };
  struct Force {
    double x, y;
    double n_x = 0, n_y = 0, w_x = 0, w_y = 0;  ///< direction and velocity of the other tip
    double inverse_distance = 0, distance_rate = 0, tension = 0;
  };

  Tip tip(double s, double c, double rate) const {
    const double speed = length_ * rate;
    return {pivot_x_ + length_ * s, -length_ * c, speed * c, speed * s};
  }

  Force force(const Tip& at, const Numbers<inputs>& u) const {
    if constexpr (sprung) {
      const double apart_x = u[0] - at.x;
      const double apart_y = u[1] - at.y;
      const double distance = std::sqrt(apart_x * apart_x + apart_y * apart_y);
      const double inverse = 1 / distance;
      const double n_x = apart_x * inverse;
      const double n_y = apart_y * inverse;
      const double w_x = u[2] - at.v_x;
      const double w_y = u[3] - at.v_y;
      const double distance_rate = n_x * w_x + n_y * w_y;
      const double tension = stiffness_ * (distance - natural_length_) + damping_ * distance_rate;
      return {tension * n_x + external_force_,
              tension * n_y,
              n_x,
              n_y,
              w_x,
              w_y,
              inverse,
              distance_rate,
              tension};
    } else {
      return {u[0] + external_force_, u[1]};
    }
  }

  double length_, inverse_length_, inverse_mass_, inverse_inertia_, pivot_x_;
  double gravity_, gravity_over_length_;
  double stiffness_, damping_, natural_length_, external_force_;
  double h_, inverse_h_;
  Numbers<2> tolerance_;
};

}  // namespace macrostep::bench
