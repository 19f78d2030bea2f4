// The pendula of coupled_pendula.hpp as native models, for steppers to be compiled together with.
//
// A role (Sprung, Loaded) says which force acts on the tip and what is given out; a motion
// (tip_motion.hpp) says how the tip follows it.
#pragma once

#include <span>

#include "models/cvode_solver.hpp"
#include "models/ode_subsystem.hpp"
#include "models/pendulum/tip_motion.hpp"

namespace macrostep::models {

/// The spring and damper between the tips, seen from one of them.
struct TipSpring {
  double stiffness, damping, natural_length;

  /// The other tip as seen from this one.
  struct View {
    double distance;
    Vector2 direction, relative_velocity;
    double rate;  ///< of the distance
  };

  static View view(const Vector2& r, const Vector2& v, const Vector2& other_r,
                   const Vector2& other_v) {
    const Vector2 apart = other_r - r;
    const double distance = apart.norm();
    const Vector2 n = apart / distance;
    const Vector2 w = other_v - v;
    return {distance, n, w, n.dot(w)};
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

  // Slopes of the force by position and velocity of this tip. Moving it by δ changes the distance
  // by −n·δ and turns n by −(δ − n (n·δ))/d.
  Eigen::Matrix2d force_by_position(const View& at) const {
    const Vector2& n = at.direction;
    const Vector2 turning = (at.relative_velocity - at.rate * n) / at.distance;
    const Eigen::Matrix2d across = Eigen::Matrix2d::Identity() - n * n.transpose();
    return -n * (stiffness * n + damping * turning).transpose() -
           tension(at) / at.distance * across;
  }
  Eigen::Matrix2d force_by_velocity(const View& at) const {
    return -damping * at.direction * at.direction.transpose();
  }
};

/// What all roles share.
template <class Motion>
struct Pendulum {
  static constexpr int external_count = 1;
  using State = typename Motion::State;

  PendulumSetup setup;
  Motion motion;

  Description description() const { return describe_pendulum(setup); }
  State initial_state() const { return motion.initial_state(); }
  State nominal_state() const { return motion.nominal_state(); }

 protected:
  static void write_motion(const Vector2& r, const Vector2& v, std::span<double> y) {
    y[0] = r[0];
    y[1] = r[1];
    y[2] = v[0];
    y[3] = v[1];
  }
  double own_energy(const Vector2& r, const Vector2& v) const {
    const auto& p = setup.pendulum;
    return p.mass_kg * (v.squaredNorm() / 2 + p.gravity_m_per_s2 * r[1]);
  }
};

/// Knows the coupling and receives the motion of the other tip: owner and displacement.
template <class Motion>
struct SprungPendulum : Pendulum<Motion> {
  static constexpr int input_count = 4;
  using Forcing = models::Forcing<input_count, Pendulum<Motion>::external_count>;
  using typename Pendulum<Motion>::State;

  TipSpring spring;
  double force_sign;    ///< of the output: −1 for the force on the other tip, 1 on
                        ///< this one
  double spring_share;  ///< 1 if the energy of the coupling spring is counted
                        ///< here, else 0

  TipSpring::View view(const State& x, const Forcing& at) const {
    return TipSpring::view(this->motion.position(x), this->motion.velocity(x), {at.u[0], at.u[1]},
                           {at.u[2], at.u[3]});
  }

  /// On this tip, but for gravity and the rod.
  Vector2 force(const State& x, const Forcing& at) const {
    return spring.force(view(x, at)) + Vector2(at.w[0], 0);
  }
  Eigen::Matrix2d force_by_position(const State& x, const Forcing& at) const {
    return spring.force_by_position(view(x, at));
  }
  Eigen::Matrix2d force_by_velocity(const State& x, const Forcing& at) const {
    return spring.force_by_velocity(view(x, at));
  }

  void outputs(const State& x, const Forcing& at, std::span<double> y) const {
    const Vector2 r = this->motion.position(x);
    const Vector2 v = this->motion.velocity(x);
    const auto seen = view(x, at);
    const Vector2 coupling = force_sign * spring.force(seen);
    this->write_motion(r, v, y);
    y[4] = coupling[0];
    y[5] = coupling[1];
    y[6] = this->own_energy(r, v) + spring_share * spring.energy(seen);
  }
};

/// Receives a force.
template <class Motion>
struct LoadedPendulum : Pendulum<Motion> {
  static constexpr int input_count = 2;
  using Forcing = models::Forcing<input_count, Pendulum<Motion>::external_count>;
  using typename Pendulum<Motion>::State;

  Vector2 force(const State&, const Forcing& at) const { return {at.u[0] + at.w[0], at.u[1]}; }
  Eigen::Matrix2d force_by_position(const State&, const Forcing&) const {
    return Eigen::Matrix2d::Zero();
  }
  Eigen::Matrix2d force_by_velocity(const State&, const Forcing&) const {
    return Eigen::Matrix2d::Zero();
  }

  void outputs(const State& x, const Forcing&, std::span<double> y) const {
    const Vector2 r = this->motion.position(x);
    const Vector2 v = this->motion.velocity(x);
    this->write_motion(r, v, y);
    y[4] = this->own_energy(r, v);
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
    return this->motion.derivatives(x, this->force(x, at));
  }
  Eigen::Matrix2d jacobian(const State& x, const Forcing& at) const {
    return this->motion.jacobian(x, this->force(x, at), this->force_by_position(x, at),
                                 this->force_by_velocity(x, at));
  }
};

}  // namespace macrostep::models
