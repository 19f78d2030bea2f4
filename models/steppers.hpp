// One micro-step of an ordinary differential equation ẋ = f(x, u(t), w(t)).
//
//   forward Euler   x⁺ = x + h f(x, u(t), w(t))                               order 1
//   trapezoidal     x⁺ = x + h/2 [f(x, u(t), w(t)) + f(x⁺, u(t+h), w(t+h))]   order 2, A-stable
//
// A stepper is a stateless struct, so that the micro-step loop is compiled together with the model.
// A `Model` has State (an Eigen vector), derivatives(x, forcing) and, for implicit steppers,
// nominal_state() and newton_update(x, forcing, γ, known), which solves
// (I − γ ∂f/∂x) Δ = known + γ f(x) − x by its own structure. `forcing(c)` gives the values of u and
// w at t + c·h.
#pragma once

#include <cstdint>

namespace macrostep::models {

struct ForwardEuler {
  template <class Model, class Forcing>
  static bool advance(const Model& model, const Forcing& forcing, double h,
                      typename Model::State& x, std::int64_t& rhs_evaluations) {
    x += h * model.derivatives(x, forcing(0.0));
    ++rhs_evaluations;
    return true;
  }
};

struct Trapezoidal {
  /// Newton's method converges quadratically: an update below this share of the nominal state
  /// leaves an error near the square of it.
  static constexpr double update_tolerance = 1e-8;
  static constexpr int max_iterations = 25;

  template <class Model, class Forcing>
  static bool advance(const Model& model, const Forcing& forcing, double h,
                      typename Model::State& x, std::int64_t& rhs_evaluations) {
    using State = typename Model::State;
    const double half = h / 2;
    const State rate = model.derivatives(x, forcing(0.0));
    const auto end = forcing(1.0);
    const State known = x + half * rate;
    const State scale = model.nominal_state() * update_tolerance;
    State next = x + h * rate;
    rhs_evaluations += 1;
    for (int i = 0; i < max_iterations; ++i) {
      const State update = model.newton_update(next, end, half, known);
      next += update;
      rhs_evaluations += 1;
      if ((update.array().abs() <= scale.array()).all()) {
        x = next;
        return true;
      }
    }
    return false;
  }
};

}  // namespace macrostep::models
