// One micro-step of an ordinary differential equation ẋ = f(x, u(t), w(t)).
//
//   forward Euler     x⁺ = x + h f(x, u(t), w(t))                               order 1
//   symplectic Euler  v⁺ = v + h a(q, v, u(t), w(t)),  q⁺ = q + h v⁺            order 1
//                     for x = [q; v] with q̇ = v: the energy of an oscillation stays bounded
//   trapezoidal       x⁺ = x + h/2 [f(x, u(t), w(t)) + f(x⁺, u(t+h), w(t+h))]   order 2, A-stable
//   Runge–Kutta       x⁺ = x + h/6 (k1 + 2 k2 + 2 k3 + k4), the classical one   order 4
//
// A stepper is a stateless struct, so that the micro-step loop is compiled together with the model.
// A `Model` has State (an Eigen vector of fixed size) and derivatives(x, forcing). Symplectic Euler
// also needs `static constexpr int dof` with State = [q(dof); v(dof)]; the trapezoidal rule needs
// nominal_state() and either jacobian(x, forcing) = ∂f/∂x or newton_update(x, forcing, γ, known),
// which solves (I − γ ∂f/∂x) Δ = known + γ f(x) − x by the model's own structure. `forcing(c)`
// gives the values of u and w at t + c·h.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <cmath>
#include <cstdint>

#include "models/lanes.hpp"

namespace macrostep::models {

/// The number type of a state: of one trial, or of several.
template <class State>
using ScalarOf = typename State::Scalar;

struct ForwardEuler {
  template <class Model, class Forcing, class State>
  static auto advance(const Model& model, const Forcing& forcing, double h, State& x,
                      CountOf<ScalarOf<State>>& rhs_evaluations,
                      MaskOf<ScalarOf<State>> active = all_of<ScalarOf<State>>()) {
    x += h * model.derivatives(x, forcing(0.0));
    count(rhs_evaluations, active);
    return active;
  }
};

struct SymplecticEuler {
  template <class Model, class Forcing>
  static bool advance(const Model& model, const Forcing& forcing, double h,
                      typename Model::State& x, std::int64_t& rhs_evaluations) {
    static_assert(Model::State::RowsAtCompileTime == 2 * Model::dof);
    const typename Model::State rate = model.derivatives(x, forcing(0.0));
    x.template tail<Model::dof>() += h * rate.template tail<Model::dof>();
    x.template head<Model::dof>() += h * x.template tail<Model::dof>();
    ++rhs_evaluations;
    return true;
  }
};

struct Rk4 {
  template <class Model, class Forcing>
  static bool advance(const Model& model, const Forcing& forcing, double h,
                      typename Model::State& x, std::int64_t& rhs_evaluations) {
    using State = typename Model::State;
    const auto middle = forcing(0.5);
    const State k1 = model.derivatives(x, forcing(0.0));
    const State k2 = model.derivatives(x + h / 2 * k1, middle);
    const State k3 = model.derivatives(x + h / 2 * k2, middle);
    const State k4 = model.derivatives(x + h * k3, forcing(1.0));
    x += h / 6 * (k1 + 2 * (k2 + k3) + k4);
    rhs_evaluations += 4;
    return true;
  }
};

inline constexpr const char* newton_failed = "the implicit integrator did not converge";

struct Trapezoidal {
  /// Newton's method converges quadratically: an update below this share of the nominal state
  /// leaves an error near the square of it.
  static constexpr double update_tolerance = 1e-8;
  static constexpr int max_iterations = 25;

  template <class Model, class Forcing, class State>
  static auto advance(const Model& model, const Forcing& forcing, double h, State& x,
                      CountOf<ScalarOf<State>>& rhs_evaluations,
                      MaskOf<ScalarOf<State>> active = all_of<ScalarOf<State>>()) {
    using Mask = MaskOf<ScalarOf<State>>;
    const double half = h / 2;
    const State rate = model.derivatives(x, forcing(0.0));
    const auto end = forcing(1.0);
    const State known = x + half * rate;
    const typename Model::State scale = model.nominal_state() * update_tolerance;
    State next = x + h * rate;
    State last = State::Zero();  // update
    count(rhs_evaluations, active);
    Mask solved{};
    for (int i = 0; i < max_iterations && any(active); ++i) {
      State update = newton_update(model, next, end, half, known);
      if constexpr (!has_own_update<Model, decltype(end), State>) {
        // Where the slope is steep but capped, as near the rest of a square-root spring, Newton's
        // method swings across the solution for ever: half of such an update lands inside.
        const auto weighted = [&](const State& a) { return a.cwiseQuotient(scale).eval(); };
        if (weighted(update).dot(weighted(last)) < -0.5 * weighted(last).squaredNorm()) {
          update /= 2;
        }
        last = update;
      }
      next += update;
      count(rhs_evaluations, active);
      Mask converged = active;
      for (Eigen::Index k = 0; k < update.size(); ++k) {
        using std::abs;
        converged = converged & (abs(update[k]) <= ScalarOf<State>(scale[k]));
      }
      if (any(converged)) {
        assign_where(converged, x, next);
        solved = solved | converged;
        active = active & !converged;
      }
    }
    return solved;
  }

 private:
  template <class Model, class Values, class State>
  static constexpr bool has_own_update = requires(const Model& model, const Values& values,
                                                  State x) {
    model.newton_update(x, values, 0.0, x);
  };

  template <class Model, class Values, class State>
  static State newton_update(const Model& model, const State& x, const Values& values, double gamma,
                             const State& known) {
    if constexpr (has_own_update<Model, Values, State>) {
      return model.newton_update(x, values, gamma, known);
    } else {
      constexpr int size = State::RowsAtCompileTime;
      using Matrix = Eigen::Matrix<double, size, size>;
      const Matrix left = Matrix::Identity() - gamma * model.jacobian(x, values);
      const State right = known + gamma * model.derivatives(x, values) - x;
      return left.partialPivLu().solve(right);
    }
  }
};

}  // namespace macrostep::models
