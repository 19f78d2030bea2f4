// Fixed steps of ẋ = f(t, x) whose number of states is known at run time only and whose evaluation
// may fail, h the step, as in models/integrators/steppers.hpp:
//
//   forward Euler  x⁺ = x + h f(t, x)
//   trapezoidal    x⁺ = x + h/2 [f(t, x) + f(t + h, x⁺)] by Newton's method with a Jacobian that is
//                  kept until it converges badly
//   Runge–Kutta    the classical one of order 4
//
// A `System` has
//   derivatives(t, x, rate)         f into `rate`; false where it cannot be evaluated
//   jacobian(t, x, rate, entries)   ∂f/∂x where f was evaluated last and gave `rate`
//   nominal_states()                typical magnitudes
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <cstddef>

#include "models/integrators/integrator.hpp"

namespace macrostep::models::fmi {

class FixedStepper {
 public:
  /// forward_euler, trapezoidal or rk4.
  static bool offers(Integrator integrator) {
    return integrator == Integrator::forward_euler || integrator == Integrator::trapezoidal ||
           integrator == Integrator::rk4;
  }

  explicit FixedStepper(Integrator integrator) : integrator_(integrator) {}

  /// Before the first step.
  void set_states(Eigen::Index states) {
    stages_.fill(Eigen::VectorXd::Zero(states));
    jacobian_.resize(states, states);
    have_jacobian_ = false;
  }
  /// What the Jacobian depends on has jumped.
  void forget_jacobian() { have_jacobian_ = false; }

  /// False if f cannot be evaluated or the implicit method does not converge.
  template <class System>
  bool step(System& system, double begin_s, double h, Eigen::VectorXd& x) {
    if (x.size() == 0) {
      return true;
    }
    auto& [rate, at, sum, unused] = stages_;
    if (!system.derivatives(begin_s, x, rate)) {
      return false;
    }
    if (integrator_ == Integrator::forward_euler) {
      x += h * rate;
      return true;
    }
    if (integrator_ == Integrator::trapezoidal) {
      return trapezoidal(system, begin_s, h, x);
    }
    sum = rate;
    constexpr std::array shares{0.5, 0.5, 1.0};
    constexpr std::array weights{2.0, 2.0, 1.0};
    for (std::size_t stage = 0; stage < shares.size(); ++stage) {
      at = x + h * shares[stage] * rate;
      if (!system.derivatives(begin_s + shares[stage] * h, at, rate)) {
        return false;
      }
      sum += weights[stage] * rate;
    }
    x += h / 6 * sum;
    return true;
  }

 private:
  static constexpr int max_newton_iterations = 25;
  static constexpr int slow_iterations = 5;  ///< then the Jacobian is made anew
  static constexpr double update_tolerance = 1e-8;

  /// Newton's method on x⁺ − x − h/2 (f + f⁺) = 0; f is in the first stage.
  template <class System>
  bool trapezoidal(System& system, double begin_s, double h, Eigen::VectorXd& x) {
    auto& [rate, next, next_rate, update] = stages_;
    const double end_s = begin_s + h;
    next = x + h * rate;
    bool fresh = false;
    for (int i = 0; i < max_newton_iterations; ++i) {
      if (!system.derivatives(end_s, next, next_rate)) {
        return false;
      }
      const bool slow = i > 0 && i % slow_iterations == 0 && !fresh;
      if (!have_jacobian_ || slow || factorised_step_s_ != h) {
        system.jacobian(end_s, next, next_rate, jacobian_);
        jacobian_ *= -h / 2;
        jacobian_.diagonal().array() += 1;
        factors_.compute(jacobian_);
        factorised_step_s_ = h;
        have_jacobian_ = fresh = true;
      }
      update = x - next + h / 2 * (rate + next_rate);
      update = factors_.solve(update);
      next += update;
      if ((update.array().abs() <= update_tolerance * system.nominal_states().array()).all()) {
        x = next;
        return true;
      }
    }
    have_jacobian_ = false;
    return false;
  }

  Integrator integrator_;
  std::array<Eigen::VectorXd, 4> stages_;
  Eigen::MatrixXd jacobian_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
  double factorised_step_s_ = 0;
  bool have_jacobian_ = false;
};

}  // namespace macrostep::models::fmi
