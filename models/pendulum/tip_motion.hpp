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

#include "models/integrators/steppers.hpp"
#include "models/pendulum/pendulum.hpp"
#include "models/subsystem/sin_cos.hpp"

namespace macrostep::models {

using Vector2 = Eigen::Vector2d;

/// How the coupling force on a tip changes with the motion of that tip along its tangent t and, of
/// its velocity, along dt/dθ = (−sin θ, cos θ).
struct TipForceSlopes {
  double by_way = 0;           ///< t·(∂F/∂r) t
  double by_speed = 0;         ///< t·(∂F/∂v) t
  double by_turned_speed = 0;  ///< t·(∂F/∂v) dt/dθ
};

struct AngularMotion {
  using State = Eigen::Vector2d;

  /// What both need that know the state: the tip, and how it moves with the angle.
  struct Pose {
    Vector2 r, v;
    Vector2 tangent;  ///< t
    double rate;      ///< θ̇
  };

  PendulumParameters p;
  double inverse_mass_length = 1 / (p.mass_kg * p.length_m);  ///< [1/(kg m)]
  double gravity_over_length = p.gravity_m_per_s2 / p.length_m;

  State initial_state() const { return {p.angle_rad, 0}; }
  State nominal_state() const { return {1, std::sqrt(1 + gravity_over_length)}; }

  Pose pose(const State& x) const {
    const auto [sin, cos] = sin_cos(x[0]);
    const Vector2 t(cos, sin);
    return {{p.pivot_x_m + p.length_m * sin, -p.length_m * cos}, p.length_m * x[1] * t, t, x[1]};
  }

  State derivatives(const Pose& at, const Vector2& force) const {
    return {at.rate,
            at.tangent.dot(force) * inverse_mass_length - gravity_over_length * at.tangent[1]};
  }

  RateAndSlopes<State, Eigen::Matrix2d> rate_and_slopes(const Pose& at, const Vector2& force,
                                                        const TipForceSlopes& slopes) const {
    const Vector2& t = at.tangent;
    const Vector2 inward(-t[1], t[0]);  // dt/dθ
    const double by_angle = inward.dot(force) + p.length_m * slopes.by_way +
                            p.length_m * at.rate * slopes.by_turned_speed;
    return {derivatives(at, force),
            Eigen::Matrix2d{{0, 1},
                            {by_angle * inverse_mass_length - gravity_over_length * t[0],
                             p.length_m * slopes.by_speed * inverse_mass_length}}};
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

  struct Pose {
    Vector2 r, v;
  };

  PendulumParameters p;
  double inverse_mass = 1 / p.mass_kg;
  double inverse_length = 1 / p.length_m;

  State initial_state() const {
    const AngularMotion angular{p};
    State x = State::Zero();
    x.head<2>() = angular.pose(angular.initial_state()).r;
    return x;
  }
  State nominal_state() const { return State::Constant(p.length_m); }

  Pose pose(const State& x) const { return {x.head<2>(), x.tail<2>()}; }

  bool advance(const Vector2& force, double h, State& x) const {
    const Vector2 rod(x[0] - p.pivot_x_m, x[1]);
    const Vector2 slope = rod * inverse_length;
    const Vector2 free = x.tail<2>() + h * (force * inverse_mass - Vector2(0, p.gravity_m_per_s2));
    const Vector2 free_end = rod + h * free;
    double eta = 0;
    for (int i = 0; i < max_iterations; ++i) {
      const Vector2 next = free_end - eta * slope;
      const double violation =
          (next.squaredNorm() - p.length_m * p.length_m) * (0.5 * inverse_length);
      const double correction = violation / (next.dot(slope) * inverse_length + 1 / penalty);
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
  static constexpr bool looks_at_end = false;

  template <class Model, class Forcing>
  static bool advance(const Model& model, const Forcing& forcing, double h,
                      typename Model::State& x, std::int64_t& rhs_evaluations) {
    ++rhs_evaluations;  // the iteration costs less than the force
    return model.motion.advance(model.force(model.motion.pose(x), forcing(0.0)), h, x);
  }
};

}  // namespace macrostep::models
