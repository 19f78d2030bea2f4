// The pendula of pendulum.hpp as native models, for steppers to be compiled together with.
//
// A role (Sprung, Loaded) says which force acts on the tip and what is given out; a motion
// (tip_motion.hpp) says how the tip follows it.
#pragma once

#include <span>

#include "models/integrators/cvode_solver.hpp"
#include "models/integrators/ode_subsystem.hpp"
#include "models/pendulum/pendulum.hpp"
#include "models/pendulum/tip_motion.hpp"

namespace macrostep::models {

/// The spring and damper between the tips, seen from one of them.
struct TipSpring {
  double stiffness, damping, natural_length;

  /// The other tip as seen from this one.
  struct View {
    double distance, inverse_distance;
    Vector2 direction, relative_velocity;
    double rate;  ///< of the distance
  };

  static View view(const Vector2& r, const Vector2& v, const Vector2& other_r,
                   const Vector2& other_v) {
    const Vector2 apart = other_r - r;
    const double distance = apart.norm();
    const double inverse = 1 / distance;
    const Vector2 n = apart * inverse;
    const Vector2 w = other_v - v;
    return {distance, inverse, n, w, n.dot(w)};
  }

  double tension(const View& at) const {
    return stiffness * (at.distance - natural_length) + damping * at.rate;
  }
  /// On this tip.
  Vector2 force(const View& at) const { return tension(at) * at.direction; }
  double energy(const View& at) const {
    const double elongation = at.distance - natural_length;
    return 0.5 * stiffness * elongation * elongation;
  }

  /// Moving this tip by δ changes the distance by −n·δ and turns n by −(δ − n (n·δ))/d:
  ///
  ///   ∂F/∂r = −n (k n + c (w − ḋ n)/d)ᵀ − T/d (I − n nᵀ),   ∂F/∂v = −c n nᵀ
  TipForceSlopes slopes(const View& at, const Vector2& tangent) const {
    const double along = at.direction.dot(tangent);
    const double turned = at.direction[1] * tangent[0] - at.direction[0] * tangent[1];
    const double turning =
        (at.relative_velocity.dot(tangent) - at.rate * along) * at.inverse_distance;
    return {.by_way = -along * (stiffness * along + damping * turning) -
                      tension(at) * at.inverse_distance * (1 - along * along),
            .by_speed = -damping * along * along,
            .by_turned_speed = -damping * along * turned};
  }
};

/// What all roles share.
template <class Motion>
struct Pendulum {
  static constexpr int external_count = 1;
  using State = typename Motion::State;
  using Pose = typename Motion::Pose;

  PendulumSetup setup;
  Motion motion;

  Description description() const { return describe_pendulum(setup); }
  State initial_state() const { return motion.initial_state(); }
  State nominal_state() const { return motion.nominal_state(); }

 protected:
  static void write_motion(const Pose& pose, std::span<double> y) {
    y[0] = pose.r[0];
    y[1] = pose.r[1];
    y[2] = pose.v[0];
    y[3] = pose.v[1];
  }
  double own_energy(const Pose& pose) const {
    const auto& p = setup.pendulum;
    return p.mass_kg * (pose.v.squaredNorm() / 2 + p.gravity_m_per_s2 * pose.r[1]);
  }
};

/// Knows the coupling and receives the motion of the other tip: owner and displacement.
template <class Motion>
struct SprungPendulum : Pendulum<Motion> {
  static constexpr int input_count = 4;
  using Forcing = models::Forcing<input_count, Pendulum<Motion>::external_count>;
  using typename Pendulum<Motion>::State;
  using typename Pendulum<Motion>::Pose;

  TipSpring spring;
  double force_sign;    ///< of the output: −1 for the force on the other tip, 1 on
                        ///< this one
  double spring_share;  ///< 1 if the energy of the coupling spring is counted
                        ///< here, else 0

  TipSpring::View view(const Pose& pose, const Forcing& at) const {
    return TipSpring::view(pose.r, pose.v, {at.u[0], at.u[1]}, {at.u[2], at.u[3]});
  }

  /// On this tip, but for gravity and the rod.
  Vector2 force(const Pose& pose, const Forcing& at) const {
    return spring.force(view(pose, at)) + Vector2(at.w[0], 0);
  }
  TipForceSlopes force_slopes(const Pose& pose, const Forcing& at) const {
    return spring.slopes(view(pose, at), pose.tangent);
  }

  void outputs(const State& x, const Forcing& at, std::span<double> y) const {
    const auto pose = this->motion.pose(x);
    const auto seen = view(pose, at);
    const Vector2 coupling = force_sign * spring.force(seen);
    this->write_motion(pose, y);
    y[4] = coupling[0];
    y[5] = coupling[1];
    y[6] = this->own_energy(pose) + spring_share * spring.energy(seen);
  }
};

/// Receives a force.
template <class Motion>
struct LoadedPendulum : Pendulum<Motion> {
  static constexpr int input_count = 2;
  using Forcing = models::Forcing<input_count, Pendulum<Motion>::external_count>;
  using typename Pendulum<Motion>::State;
  using typename Pendulum<Motion>::Pose;

  Vector2 force(const Pose&, const Forcing& at) const { return {at.u[0] + at.w[0], at.u[1]}; }
  TipForceSlopes force_slopes(const Pose&, const Forcing&) const { return {}; }

  void outputs(const State& x, const Forcing&, std::span<double> y) const {
    const auto pose = this->motion.pose(x);
    this->write_motion(pose, y);
    y[4] = this->own_energy(pose);
  }
};

/// Either role in the angle, as an ordinary differential equation.
template <template <class> class Role>
struct InAngle : Role<AngularMotion> {
  static constexpr int dof = 1;
  static constexpr CvodeMethod cvode_method = CvodeMethod::adams;
  using typename Role<AngularMotion>::State;
  using typename Role<AngularMotion>::Forcing;

  State derivatives(const State& x, const Forcing& at) const {
    const auto pose = this->motion.pose(x);
    return this->motion.derivatives(pose, this->force(pose, at));
  }
  RateAndSlopes<State, Eigen::Matrix2d> rate_and_slopes(const State& x, const Forcing& at) const {
    const auto pose = this->motion.pose(x);
    return this->motion.rate_and_slopes(pose, this->force(pose, at), this->force_slopes(pose, at));
  }
  Eigen::Matrix2d jacobian(const State& x, const Forcing& at) const {
    return rate_and_slopes(x, at).by_state;
  }
};

}  // namespace macrostep::models
