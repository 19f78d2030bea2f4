// The masses of oscillator.hpp as native models, for steppers to be compiled together with.
#pragma once

#include <Eigen/Core>
#include <span>
#include <utility>

#include "models/cvode_solver.hpp"
#include "models/ode_subsystem.hpp"
#include "models/oscillator/spring_damper.hpp"
#include "models/subsystem.hpp"

namespace macrostep::models {

/// What all roles share: state [x; v] and the ground.
template <class SpringDamper>
struct GroundedMass {
  static constexpr int dof = 1;
  static constexpr bool linear = SpringDamper::linear;
  static constexpr CvodeMethod cvode_method = CvodeMethod::adams;
  using State = Eigen::Vector2d;
  using Jacobian = Eigen::Matrix2d;

  Description ports;
  State start;
  State nominal;
  SpringDamper ground;
  double mass;

  Description description() const { return ports; }
  State initial_state() const { return start; }
  State nominal_state() const { return nominal; }

  double own_energy(const State& x) const { return 0.5 * mass * x[1] * x[1] + ground.energy(x[0]); }
};

/// Knows the coupling and receives position and velocity of the other mass: owner and displacement.
template <class SpringDamper>
struct CoupledMass : GroundedMass<SpringDamper> {
  static constexpr int input_count = 2;
  static constexpr int external_count = 1;
  using Forcing = models::Forcing<input_count, external_count>;
  using typename GroundedMass<SpringDamper>::State;
  using typename GroundedMass<SpringDamper>::Jacobian;

  SpringDamper coupling;
  double force_sign;    ///< of the output: 1 for the force on the other mass, −1 on this one
  double spring_share;  ///< 1 if the energy of the coupling spring is counted here, else 0

  double coupling_force(const State& x, const Forcing& at) const {
    return coupling.force(x[0] - at.u[0], x[1] - at.u[1]);
  }

  State derivatives(const State& x, const Forcing& at) const {
    const double force = at.w[0] - this->ground.force(x[0], x[1]) - coupling_force(x, at);
    return {x[1], force / this->mass};
  }

  Jacobian jacobian(const State& x, const Forcing& at) const {
    const double per_m = this->ground.force_per_elongation(x[0], x[1]) +
                         coupling.force_per_elongation(x[0] - at.u[0], x[1] - at.u[1]);
    const double per_m_per_s = this->ground.force_per_rate(x[0], x[1]) +
                               coupling.force_per_rate(x[0] - at.u[0], x[1] - at.u[1]);
    return Jacobian{{0, 1}, {-per_m / this->mass, -per_m_per_s / this->mass}};
  }

  void outputs(const State& x, const Forcing& at, std::span<double> y) const {
    y[0] = x[0];
    y[1] = x[1];
    y[2] = force_sign * coupling_force(x, at);
    y[3] = this->own_energy(x) + spring_share * coupling.energy(x[0] - at.u[0]);
  }
};

/// Receives up to `max_forces` forces; inputs that are not connected are 0.
template <class SpringDamper, int max_forces>
struct ForcedMass : GroundedMass<SpringDamper> {
  static constexpr int input_count = max_forces;
  static constexpr int external_count = 1;
  using Forcing = models::Forcing<input_count, external_count>;
  using typename GroundedMass<SpringDamper>::State;
  using typename GroundedMass<SpringDamper>::Jacobian;

  int forces;

  State derivatives(const State& x, const Forcing& at) const {
    double force = at.w[0] - this->ground.force(x[0], x[1]);
    for (int i = 0; i < forces; ++i) {
      force += at.u[static_cast<std::size_t>(i)];
    }
    return {x[1], force / this->mass};
  }

  Jacobian jacobian(const State& x, const Forcing&) const {
    return Jacobian{{0, 1},
                    {-this->ground.force_per_elongation(x[0], x[1]) / this->mass,
                     -this->ground.force_per_rate(x[0], x[1]) / this->mass}};
  }

  void outputs(const State& x, const Forcing&, std::span<double> y) const {
    y[0] = x[0];
    y[1] = x[1];
    y[2] = this->own_energy(x);
  }
};

}  // namespace macrostep::models
