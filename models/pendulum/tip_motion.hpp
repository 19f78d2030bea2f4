// The two ways to describe how a pendulum's tip moves under a force F on it.
//
// In the angle θ from −y, x = [θ; θ̇]:
//   r = (x_p + l sin θ, −l cos θ),   m l θ̈ = t·F − m g sin θ,   t = (cos θ, sin θ)
//
// In Cartesian coordinates, x = [r; ṙ], by symplectic Euler and an augmented Lagrangian of index 3:
//   m (v⁺ − v)/h = F + m g − Φ_r(r)ᵀ (λ + α Φ(r⁺)),   r⁺ = r + h v⁺,   λ ← λ + α Φ(r⁺)
//   Φ = (|r − pivot|² − l²)/(2l) = 0,   Φ_r = (r − pivot)ᵀ/l
// At convergence this is the symplectic Euler method of a constrained system (SHAKE): of order 1,
// and the energy of an oscillation stays bounded. (Of index 1, with stabilisation, it would grow.)
//
// Eliminating v⁺ (Woodbury) leaves one equation for the multiplier, with nothing large to cancel:
//   r⁺ = r + h v + h² (F/m + g) − η Φ_r(r)ᵀ,   η ← η + Φ(r⁺)/(Φ_r(r⁺)·Φ_r(r) + 1/β)
// with η = λ h²/m [m] and the penalty α = β m/h².
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>

#include "models/pendulum/coupled_pendula.hpp"

namespace macrostep::models {

using Vector2 = Eigen::Vector2d;

struct AngularMotion {
  using State = Eigen::Vector2d;

  PendulumParameters p;

  State initial_state() const { return {p.angle_rad, 0}; }
  State nominal_state() const { return {1, std::sqrt(1 + p.gravity_m_per_s2 / p.length_m)}; }

  static Vector2 tangent(const State& x) { return {std::cos(x[0]), std::sin(x[0])}; }
  Vector2 position(const State& x) const {
    return {p.pivot_x_m + p.length_m * std::sin(x[0]), -p.length_m * std::cos(x[0])};
  }
  Vector2 velocity(const State& x) const { return p.length_m * x[1] * tangent(x); }

  State derivatives(const State& x, const Vector2& force) const {
    return {x[1],
            (tangent(x).dot(force) / p.mass_kg - p.gravity_m_per_s2 * std::sin(x[0])) / p.length_m};
  }

  /// With the slopes of the force by position and velocity of the tip.
  Eigen::Matrix2d jacobian(const State& x, const Vector2& force, const Eigen::Matrix2d& by_position,
                           const Eigen::Matrix2d& by_velocity) const {
    const Vector2 t = tangent(x);
    const Vector2 inward(-t[1], t[0]);  // dt/dθ
    const double by_angle = inward.dot(force) + p.length_m * t.dot(by_position * t) +
                            p.length_m * x[1] * t.dot(by_velocity * inward);
    const double by_rate = p.length_m * t.dot(by_velocity * t);
    return Eigen::Matrix2d{{0, 1},
                           {(by_angle / p.mass_kg - p.gravity_m_per_s2 * t[0]) / p.length_m,
                            by_rate / p.mass_kg / p.length_m}};
  }
};

struct CartesianMotion {
  using State = Eigen::Vector4d;

  /// β. The solution does not depend on it; an iteration leaves 1/β of the violation on top of what
  /// Newton's method leaves, so that two or three reach rounding.
  static constexpr double penalty = 1e9;
  /// Newton's method doubles its digits; it does not converge if the step is too long for the rod.
  static constexpr int max_iterations = 20;
  /// A correction below this share of the rod is noise of rounding.
  static constexpr double tolerance = 1e-14;

  PendulumParameters p;

  State initial_state() const {
    State x = State::Zero();
    x.head<2>() = AngularMotion{p}.position(AngularMotion{p}.initial_state());
    return x;
  }
  State nominal_state() const { return State::Constant(p.length_m); }

  Vector2 position(const State& x) const { return x.head<2>(); }
  Vector2 velocity(const State& x) const { return x.tail<2>(); }

  bool advance(const Vector2& force, double h, State& x) const {
    const Vector2 rod(x[0] - p.pivot_x_m, x[1]);
    const Vector2 slope = rod / p.length_m;
    const Vector2 free = x.tail<2>() + h * (force / p.mass_kg - Vector2(0, p.gravity_m_per_s2));
    double eta = 0;
    for (int i = 0; i < max_iterations; ++i) {
      const Vector2 next = rod + h * free - eta * slope;
      const double violation = (next.squaredNorm() - p.length_m * p.length_m) / (2 * p.length_m);
      const double correction = violation / (next.dot(slope) / p.length_m + 1 / penalty);
      eta += correction;
      if (std::abs(correction) <= tolerance * p.length_m) {
        x.tail<2>() = free - eta / h * slope;
        x.head<2>() += h * x.tail<2>();
        return true;
      }
    }
    return false;
  }
};

/// The stepper of pendula in Cartesian coordinates (steppers.hpp).
struct AlSymplecticEuler {
  template <class Model, class Forcing>
  static bool advance(const Model& model, const Forcing& forcing, double h,
                      typename Model::State& x, std::int64_t& rhs_evaluations) {
    ++rhs_evaluations;  // the iteration costs less than the force
    return model.motion.advance(model.force(x, forcing(0.0)), h, x);
  }
};

}  // namespace macrostep::models
