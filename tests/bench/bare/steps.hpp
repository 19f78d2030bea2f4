// Micro-steps written by hand over plain numbers, for the models that native_bench.cpp measures.
//
// A `Model` has `states`, `inputs` and rate(x, u) with u as the inputs are at that instant; for the
// trapezoidal rule trapezoidal(x, u, u_end). What does not change from step to step, h among it, is
// computed by its constructor. The inputs are polynomials of degree 2 over a macro-step; where the
// end of one micro-step is the beginning of the next, they are evaluated once.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "models/integrators/integrator.hpp"

namespace macrostep::bench {

using models::Integrator;

template <std::size_t count>
using Numbers = std::array<double, count>;

/// c0 + θ (c1 + θ c2) of each input.
template <std::size_t count>
struct Quadratics {
  std::array<Numbers<3>, count> c{};

  Numbers<count> at(double theta) const {
    Numbers<count> values;
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = c[i][0] + theta * (c[i][1] + theta * c[i][2]);
    }
    return values;
  }
};

template <std::size_t count>
Numbers<count> moved(const Numbers<count>& x, double h, const Numbers<count>& rate) {
  Numbers<count> y;
  for (std::size_t i = 0; i < count; ++i) {
    y[i] = x[i] + h * rate[i];
  }
  return y;
}

/// One macro-step of `count` micro-steps. False when Newton's method does not converge.
template <Integrator integrator, class Model>
bool bare_micro_steps(const Model& model, Numbers<Model::states>& state,
                      const Quadratics<Model::inputs>& inputs, double h, int count) {
  constexpr std::size_t states = Model::states;
  auto x = state;
  const double theta_step = 1.0 / count;
  bool solved = true;
  if constexpr (integrator == Integrator::forward_euler) {
    for (int k = 0; k < count; ++k) {
      x = moved(x, h, model.rate(x, inputs.at(k * theta_step)));
    }
  } else if constexpr (integrator == Integrator::symplectic_euler) {
    constexpr std::size_t dof = states / 2;
    for (int k = 0; k < count; ++k) {
      const auto rate = model.rate(x, inputs.at(k * theta_step));
      for (std::size_t i = 0; i < dof; ++i) {
        x[dof + i] += h * rate[dof + i];
        x[i] += h * x[dof + i];
      }
    }
  } else if constexpr (integrator == Integrator::rk4) {
    auto begin = inputs.at(0);
    for (int k = 0; k < count; ++k) {
      const auto middle = inputs.at((k + 0.5) * theta_step);
      const auto end = inputs.at((k + 1) * theta_step);
      const auto k1 = model.rate(x, begin);
      const auto k2 = model.rate(moved(x, h / 2, k1), middle);
      const auto k3 = model.rate(moved(x, h / 2, k2), middle);
      const auto k4 = model.rate(moved(x, h, k3), end);
      for (std::size_t i = 0; i < states; ++i) {
        x[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
      }
      begin = end;
    }
  } else if constexpr (integrator == Integrator::trapezoidal) {
    auto begin = inputs.at(0);
    for (int k = 0; k < count && solved; ++k) {
      const auto end = inputs.at((k + 1) * theta_step);
      solved = model.trapezoidal(x, begin, end);
      begin = end;
    }
  } else {  // symplectic Euler of a pendulum in Cartesian coordinates
    for (int k = 0; k < count && solved; ++k) {
      solved = model.al_symplectic_euler(x, inputs.at(k * theta_step));
    }
  }
  state = x;
  return solved;
}

inline constexpr double newton_tolerance = 1e-8;  ///< of the nominal state
inline constexpr int max_newton_iterations = 25;

/// The trapezoidal rule for q̇ = v, v̇ = a(q, v, u), [q; v] with one q: the equation for q is
/// eliminated. The model gives slopes(x, u): the acceleration, ∂a/∂q and ∂a/∂v.
///
/// `halves`: where an update turns back on the one before, half of it is taken. Square-root springs
/// need that near their rest.
template <bool halves, class Model>
bool trapezoidal_second_order(const Model& model, Numbers<2>& x, const Numbers<Model::inputs>& u,
                              const Numbers<Model::inputs>& u_end, double h,
                              const Numbers<2>& tolerance) {
  const double half = h / 2;
  const auto rate = model.rate(x, u);
  const auto known = moved(x, half, rate);
  auto next = moved(x, h, rate);
  double last_q = 0, last_v = 0;  // in tolerances
  for (int i = 0; i < max_newton_iterations; ++i) {
    const auto [a, a_q, a_v] = model.slopes(next, u_end);
    const double right_q = known[0] + half * next[1] - next[0];
    const double right_v = known[1] + half * a - next[1];
    double dv = (right_v + half * a_q * right_q) / (1 - half * (a_v + half * a_q));
    double dq = right_q + half * dv;
    if constexpr (halves) {
      double in_q = dq / tolerance[0];
      double in_v = dv / tolerance[1];
      if (in_q * last_q + in_v * last_v < -0.5 * (last_q * last_q + last_v * last_v)) {
        dq /= 2;
        dv /= 2;
        in_q /= 2;
        in_v /= 2;
      }
      last_q = in_q;
      last_v = in_v;
    }
    next[0] += dq;
    next[1] += dv;
    if (std::abs(dq) <= tolerance[0] && std::abs(dv) <= tolerance[1]) {
      x = next;
      return true;
    }
  }
  return false;
}

/// What slopes() of a model of second order returns.
struct Acceleration {
  double a, by_q, by_v;
};

}  // namespace macrostep::bench
