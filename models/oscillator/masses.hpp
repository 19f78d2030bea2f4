// The masses of oscillator.hpp as native models, for steppers to be compiled together with.
#pragma once

#include <Eigen/Core>
#include <numeric>
#include <span>
#include <utility>

#include "models/integrators/cvode_solver.hpp"
#include "models/integrators/ode_subsystem.hpp"
#include "models/oscillator/parameters.hpp"
#include "models/oscillator/spring_damper.hpp"
#include "models/subsystem/subsystem.hpp"

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
  double inverse_mass = 1 / mass;

  Description description() const { return ports; }
  State initial_state() const { return start; }
  State nominal_state() const { return nominal; }

  double own_energy(const State& x) const { return 0.5 * mass * x[1] * x[1] + ground.energy(x[0]); }

 protected:
  /// Rates of a linear mass under the force `load` that does not depend on its state; stiffness and
  /// damping are those of all springs and dampers on it. The way from the state to its rate is the
  /// shortest, as every micro-step waits for it.
  State linear_derivatives(const State& x, double load, double stiffness, double damping) const {
    return {x[1],
            load * inverse_mass - stiffness * inverse_mass * x[0] - damping * inverse_mass * x[1]};
  }
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
    const auto& own = this->ground;
    if constexpr (SpringDamper::linear) {
      return this->linear_derivatives(x, at.w[0] + coupling.force(at.u[0], at.u[1]),
                                      own.stiffness + coupling.stiffness,
                                      own.damping + coupling.damping);
    } else {
      const double force = at.w[0] - own.force(x[0], x[1]) - coupling_force(x, at);
      return {x[1], force * this->inverse_mass};
    }
  }

  RateAndSlopes<State, Jacobian> rate_and_slopes(const State& x, const Forcing& at) const {
    const auto own = this->ground.law(x[0], x[1]);
    const auto other = coupling.law(x[0] - at.u[0], x[1] - at.u[1]);
    return {{x[1], (at.w[0] - own.force - other.force) * this->inverse_mass},
            Jacobian{{0, 1},
                     {-(own.per_elongation + other.per_elongation) * this->inverse_mass,
                      -(own.per_rate + other.per_rate) * this->inverse_mass}}};
  }
  Jacobian jacobian(const State& x, const Forcing& at) const {
    return rate_and_slopes(x, at).by_state;
  }

  void outputs(const State& x, const Forcing& at, std::span<double> y) const {
    y[0] = x[0];
    y[1] = x[1];
    y[2] = force_sign * coupling_force(x, at);
    y[3] = this->own_energy(x) + spring_share * coupling.energy(x[0] - at.u[0]);
  }
};

/// Receives one force.
template <class SpringDamper>
struct ForcedMass : GroundedMass<SpringDamper> {
  static constexpr int input_count = 1;
  static constexpr int external_count = 1;
  using Forcing = models::Forcing<input_count, external_count>;
  using typename GroundedMass<SpringDamper>::State;
  using typename GroundedMass<SpringDamper>::Jacobian;

  State derivatives(const State& x, const Forcing& at) const {
    const auto& own = this->ground;
    if constexpr (SpringDamper::linear) {
      return this->linear_derivatives(x, at.w[0] + at.u[0], own.stiffness, own.damping);
    } else {
      return {x[1], (at.w[0] + at.u[0] - own.force(x[0], x[1])) * this->inverse_mass};
    }
  }

  RateAndSlopes<State, Jacobian> rate_and_slopes(const State& x, const Forcing& at) const {
    const auto own = this->ground.law(x[0], x[1]);
    return {
        {x[1], (at.w[0] + at.u[0] - own.force) * this->inverse_mass},
        Jacobian{{0, 1},
                 {-own.per_elongation * this->inverse_mass, -own.per_rate * this->inverse_mass}}};
  }
  Jacobian jacobian(const State& x, const Forcing& at) const {
    return rate_and_slopes(x, at).by_state;
  }

  void outputs(const State& x, const Forcing&, std::span<double> y) const {
    y[0] = x[0];
    y[1] = x[1];
    y[2] = this->own_energy(x);
  }
};

/// Receives several forces, which act by their sum; inputs that are not connected are 0.
template <class SpringDamper>
struct MassUnderForces {
  static constexpr int input_count = max_oscillator_masses - 1;
  static constexpr int external_count = 1;
  static constexpr int dof = 1;
  static constexpr bool linear = SpringDamper::linear;
  static constexpr CvodeMethod cvode_method = ForcedMass<SpringDamper>::cvode_method;
  using Forcing = models::Forcing<input_count, external_count>;
  using State = typename ForcedMass<SpringDamper>::State;
  using Jacobian = typename ForcedMass<SpringDamper>::Jacobian;

  ForcedMass<SpringDamper> mass;

  const ForcedMass<SpringDamper>& driven_by_sum() const { return mass; }

  Description description() const { return mass.description(); }
  State initial_state() const { return mass.initial_state(); }
  State nominal_state() const { return mass.nominal_state(); }
  State derivatives(const State& x, const Forcing& at) const {
    return mass.derivatives(x, sum_of(at));
  }
  Jacobian jacobian(const State& x, const Forcing& at) const {
    return mass.jacobian(x, sum_of(at));
  }
  void outputs(const State& x, const Forcing& at, std::span<double> y) const {
    mass.outputs(x, sum_of(at), y);
  }

 private:
  static typename ForcedMass<SpringDamper>::Forcing sum_of(const Forcing& at) {
    return {{std::accumulate(at.u.begin(), at.u.end(), 0.0)}, at.w};
  }
};

}  // namespace macrostep::models
