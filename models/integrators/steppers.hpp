// One micro-step of an ordinary differential equation ẋ = f(x, u(t), w(t)).
//
//   forward Euler     x⁺ = x + h f(x, u(t), w(t))                               order 1
//   symplectic Euler  v⁺ = v + h a(q, v, u(t), w(t)),  q⁺ = q + h v⁺            order 1
//                     for x = [q; v] with q̇ = v: the energy of an oscillation stays bounded
//   trapezoidal       x⁺ = x + h/2 [f(x, u(t), w(t)) + f(x⁺, u(t+h), w(t+h))]   order 2, A-stable
//   Runge–Kutta       x⁺ = x + h/6 (k1 + 2 k2 + 2 k3 + k4), the classical one   order 4
//
// A stepper remembers nothing from step to step, and the micro-step loop is compiled together with
// the model. A `Model` has State (an Eigen vector of fixed size) and derivatives(x, forcing).
// With `static constexpr int dof` it promises State = [q(dof); v(dof)] and q̇ = v, which symplectic
// Euler needs, and by which the trapezoidal rule solves for v alone where there is one q. That rule
// needs nominal_state() and one of
//
//   jacobian(x, forcing)                      ∂f/∂x
//   rate_and_slopes(x, forcing)               f and ∂f/∂x, for less than both of them apart
//   newton(forcing, γ)                        (x, known) → Δ, the solution by the model's own
//                                             structure of (I − γ ∂f/∂x) Δ = known + γ f(x) − x;
//                                             what does not depend on x is computed once
//
// or it is AffineTrapezoidal, for an AffineModel (dynamics.hpp) that knows jacobian(x, forcing).
//
// A model may also have drive(forcing), which computes what follows from the forcing alone; its
// derivatives and newton then take that.
//
// `forcing(c)` gives the values of u and w at t + c·h. A stepper says with `looks_at_end` whether
// it asks for those at the end of the micro-step, where the next one begins.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "models/integrators/dynamics.hpp"
#include "models/subsystem/number.hpp"

namespace macrostep::models {

/// What a model's equations take: the forcing, or what it computes from that alone by drive().
template <class Model, class Forcing>
auto drive_of(const Model& model, const Forcing& forcing) {
  if constexpr (requires { model.drive(forcing); }) {
    return model.drive(forcing);
  } else {
    return forcing;
  }
}

/// The number type of a state: of one trial, or of several.
template <class State>
using ScalarOf = typename State::Scalar;

struct ForwardEuler {
  static constexpr bool looks_at_end = false;

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
  static constexpr bool looks_at_end = false;

  template <class Model, class Forcing>
  static bool advance(const Model& model, const Forcing& forcing, double h,
                      typename Model::State& x, std::int64_t& rhs_evaluations) {
    static_assert(Model::State::RowsAtCompileTime == 2 * Model::dof);
    const typename Model::State rate = model.derivatives(x, forcing(0.0));
    for (int i = 0; i < Model::dof; ++i) {
      const double velocity = x[Model::dof + i] + h * rate[Model::dof + i];
      x[Model::dof + i] = velocity;
      x[i] += h * velocity;
    }
    ++rhs_evaluations;
    return true;
  }
};

struct Rk4 {
  static constexpr bool looks_at_end = true;

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

/// ẋ and ∂ẋ/∂x at one point.
template <class State, class Slopes>
struct RateAndSlopes {
  State rate;
  Slopes by_state;  ///< ∂ẋ/∂x; of a diagonal one the diagonal, as a vector
};

struct Trapezoidal {
  static constexpr bool looks_at_end = true;
  /// Newton's method converges quadratically: an update below this share of the nominal state
  /// leaves an error near the square of it.
  static constexpr double update_tolerance = 1e-8;
  static constexpr int max_iterations = 25;

  template <class Model, class Forcing, class State>
  static auto advance(const Model& model, const Forcing& forcing, double h, State& x,
                      CountOf<ScalarOf<State>>& rhs_evaluations,
                      MaskOf<ScalarOf<State>> active = all_of<ScalarOf<State>>()) {
    const auto end = forcing(1.0);
    auto iteration = begin(model, forcing(0.0), end, h, x, rhs_evaluations, active);
    for (int i = 0; i < max_iterations && any(iteration.active); ++i) {
      iteration.update(x, rhs_evaluations);
    }
    return iteration.solved;
  }

  static constexpr bool advances_both = true;

  /// advance() of two models at once, each of which fills the waits of the other. forcing(which) is
  /// the forcing of advance().
  template <class Model, class Forcing, class State, class Count, class Mask>
  static void advance_both(const std::array<const Model*, 2>& models, const Forcing& forcing,
                           double h, std::array<State, 2>& x, std::array<Count, 2>& rhs_evaluations,
                           std::array<Mask, 2>& active) {
    const std::array ends{forcing(0)(1.0), forcing(1)(1.0)};
    auto first =
        begin(*models[0], forcing(0)(0.0), ends[0], h, x[0], rhs_evaluations[0], active[0]);
    auto second =
        begin(*models[1], forcing(1)(0.0), ends[1], h, x[1], rhs_evaluations[1], active[1]);
    for (int i = 0; i < max_iterations && any(first.active | second.active); ++i) {
      first.update(x[0], rhs_evaluations[0]);
      second.update(x[1], rhs_evaluations[1]);
    }
    active = {first.solved, second.solved};
  }

 private:
  template <class Model, class Values>
  static constexpr bool has_own_newton = requires(const Model& model, const Values& values) {
    model.newton(values, 0.0);
  };

  /// On the way to x⁺, from x + h f.
  template <class Model, class Newton, class State, bool may_swing>
  struct Iteration {
    using Mask = MaskOf<ScalarOf<State>>;

    Newton newton;                ///< (x, known) → update
    typename Model::State scale;  ///< the tolerance
    State known, next;
    Mask active, solved{};       ///< of the trials that go on, and have found it
    State last = State::Zero();  ///< update, in units of the tolerance

    void update(State& x, CountOf<ScalarOf<State>>& rhs_evaluations) {
      State update = newton(next, known);
      if constexpr (may_swing) {
        // Where the slope is steep but capped, as near the rest of a square-root spring, Newton's
        // method swings across the solution for ever: half of such an update lands inside.
        State weighted = update.cwiseProduct(scale.cwiseInverse());
        if (weighted.dot(last) < -0.5 * last.squaredNorm()) {
          update /= 2;
          weighted /= 2;
        }
        last = weighted;
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
  };

  /// For what drives it at the start and at the end, which outlives the iteration.
  template <class Model, class Values, class State>
  static auto begin(const Model& model, const Values& at_start, const Values& at_end, double h,
                    const State& x, CountOf<ScalarOf<State>>& rhs_evaluations,
                    const MaskOf<ScalarOf<State>>& active) {
    const double half = h / 2;
    const State rate = model.derivatives(x, at_start);
    count(rhs_evaluations, active);
    return Iteration<Model, decltype(newton_of<State>(model, at_end, half)), State,
                     !has_own_newton<Model, Values>>{
        .newton = newton_of<State>(model, at_end, half),
        .scale = model.nominal_state() * update_tolerance,
        .known = x + half * rate,
        .next = x + h * rate,
        .active = active};
  }

  template <class State, class Model, class Values>
  static auto newton_of(const Model& model, const Values& values, double gamma) {
    if constexpr (has_own_newton<Model, Values>) {
      return model.newton(values, gamma);
    } else if constexpr (requires(State x) { model.rate_and_slopes(x, values); }) {
      return [&model, &values, gamma](const State& x, const State& known) {
        const auto at = model.rate_and_slopes(x, values);
        return solve<Model>(at.by_state, gamma, State(known + gamma * at.rate - x));
      };
    } else {
      return [&model, &values, gamma](const State& x, const State& known) {
        return solve<Model>(model.jacobian(x, values), gamma,
                            State(known + gamma * model.derivatives(x, values) - x));
      };
    }
  }

  /// (I − γ J) Δ = right.
  template <class Model, class Slopes, class State>
  static State solve(const Slopes& j, double gamma, const State& right) {
    if constexpr (Slopes::ColsAtCompileTime == 1) {
      return right.cwiseQuotient(State(State::Ones() - gamma * j));
    } else if constexpr (is_one_coordinate<Model>) {  // Δq = r_q + γ Δv
      const double dv =
          (right[1] + gamma * j(1, 0) * right[0]) / (1 - gamma * (j(1, 1) + gamma * j(1, 0)));
      return {right[0] + gamma * dv, dv};
    } else {
      const Slopes left = Slopes::Identity() - gamma * j;
      return left.partialPivLu().solve(right);
    }
  }

  template <class Model>
  static constexpr bool is_one_coordinate = requires {
    requires Model::dof == 1;
  };
};

/// The trapezoidal rule for an affine model, with matrices that are computed once for h:
///
///   x⁺ = x + D x + E (g(t) + g(t+h)),   E = h/2 (I − h/2 A)⁻¹,   D = 2 E A
///
/// It costs about as much as two right-hand sides. Loads that cancel do so to rounding: what rests
/// between two of them moves by that.
template <AffineModel Model>
class AffineTrapezoidal {
 public:
  using State = typename Model::State;
  using Forcing = typename Model::Forcing;
  static constexpr bool looks_at_end = true;

  void prepare(const Model& model, double h) {
    const State rest = State::Zero();
    const Matrix a = model.jacobian(rest, Forcing{});
    const Matrix e = h / 2 * (Matrix::Identity() - h / 2 * a).inverse();
    by_state_ = 2 * e * a;
    const State constant = model.derivatives(rest, Forcing{});
    constant_ = e * constant;
    const auto effect_of = [&](auto Forcing::*kind, std::size_t i) {
      Forcing forcing{};
      (forcing.*kind)[i] = far;
      return State(e * (model.derivatives(rest, forcing) - constant) / far);
    };
    for (std::size_t i = 0; i < by_input_.size(); ++i) {
      by_input_[i] = effect_of(&Forcing::u, i);
    }
    for (std::size_t i = 0; i < by_external_.size(); ++i) {
      by_external_[i] = effect_of(&Forcing::w, i);
    }
  }

  /// E g(t) of the forcing at t, which `advance` then asks for in its stead.
  State driven(const Forcing& values) const {
    State sum;
    for (int k = 0; k < states; ++k) {
      sum[k] = constant_[k];
      for (std::size_t i = 0; i < by_external_.size(); ++i) {
        sum[k] += by_external_[i][k] * values.w[i];
      }
      for (std::size_t i = 0; i < by_input_.size(); ++i) {
        sum[k] += by_input_[i][k] * values.u[i];
      }
    }
    return sum;
  }

  template <class Driven>
  bool advance(const Model&, const Driven& driven, double, State& x,
               std::int64_t& rhs_evaluations) const {
    State change = by_state_.col(0) * x[0];
    for (int k = 1; k < states; ++k) {
      change += by_state_.col(k) * x[k];
    }
    x = (x + (driven(0.0) + driven(1.0))) + change;  // the next micro-step waits for `change` alone
    rhs_evaluations += 2;
    return true;
  }

 private:
  static constexpr int states = State::RowsAtCompileTime;
  using Matrix = Eigen::Matrix<double, states, states>;

  /// Where the slope of g is taken: so large that the constant part does not blur it.
  static constexpr double far = 0x1p60;

  Matrix by_state_ = Matrix::Zero();
  State constant_ = State::Zero();
  std::array<State, Model::input_count> by_input_{};
  std::array<State, Model::external_count> by_external_{};
};

}  // namespace macrostep::models
