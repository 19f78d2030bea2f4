// A native model with its inputs as states of their own, z = [x; u], for the steppers of
// steppers.hpp: x under the model's equations, u under those of input_dynamics.hpp.
//
//   ẋ = f(x, u, w),   u̇ = L ẋ_k + P ẋ + Q (x − x_k) + R (u − u_k)
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "models/integrators/input_dynamics.hpp"
#include "models/integrators/steppers.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::models {

/// At how many instants of a micro-step a stepper evaluates what it integrates, its end not counted
/// as the next one begins there; 0: it cannot integrate inputs beside the state.
template <class Stepper>
inline constexpr int instants_of = 0;
template <>
inline constexpr int instants_of<ForwardEuler> = 1;
template <>
inline constexpr int instants_of<Trapezoidal> = 1;
template <>
inline constexpr int instants_of<Rk4> = 2;
template <class Model>
inline constexpr int instants_of<AffineTrapezoidal<Model>> = 1;

/// The stepper for a model with its inputs: with those that move no model is affine.
template <class Stepper>
struct StepperWithInputs {
  using Type = Stepper;
};
template <class Model>
struct StepperWithInputs<AffineTrapezoidal<Model>> {
  using Type = Trapezoidal;
};

template <class Model>
struct WithInputs {
  static constexpr int states = Model::State::RowsAtCompileTime;
  static constexpr int inputs = Model::input_count;  ///< those that are not connected stand still
  using State = Eigen::Matrix<double, states + inputs, 1>;
  using Inputs = Eigen::Matrix<double, inputs, 1>;

  /// Coefficients at one instant; the model's sizes are known when compiled.
  struct Instant {
    Inputs drift;  ///< L ẋ_k
    Eigen::Matrix<double, inputs, states> by_rate, by_state;
    Eigen::Matrix<double, inputs, inputs> by_input;
  };

  struct Forcing {
    std::array<double, Model::external_count> w;
    const Instant* instant;
  };

  const Model& model;
  const InputDynamics& dynamics;
  State start;  ///< [x_k; u_k]

  State nominal_state() const {
    State nominal = State::Ones();
    nominal.template head<states>() = model.nominal_state();
    for (std::size_t i = 0; i < dynamics.nominal.size(); ++i) {
      nominal[states + static_cast<Eigen::Index>(i)] = dynamics.nominal[i];
    }
    return nominal;
  }

  State derivatives(const State& z, const Forcing& at) const {
    const Instant& now = *at.instant;
    State rate;
    const typename Model::State x = z.template head<states>();
    const typename Model::State x_rate = model.derivatives(x, model_forcing(z, at));
    const State change = z - start;
    rate.template head<states>() = x_rate;
    rate.template tail<inputs>() = now.drift + now.by_rate * x_rate +
                                   now.by_state * change.template head<states>() +
                                   now.by_input * change.template tail<inputs>();
    return rate;
  }

  /// ∂f/∂x of the model where it knows it, ∂f/∂u (and else both) as they are at t_k: an implicit
  /// stepper converges with it, to the same solution.
  Eigen::Matrix<double, states + inputs, states + inputs> jacobian(const State& z,
                                                                   const Forcing& at) const {
    const Instant& now = *at.instant;
    const auto& own = *dynamics.own;
    Eigen::Matrix<double, states, states> a = own.a;
    if constexpr (requires(typename Model::State x, typename Model::Forcing u) {
                    model.jacobian(x, u);
                  }) {
      a = model.jacobian(z.template head<states>(), model_forcing(z, at));
    }
    Eigen::Matrix<double, states, inputs> b = Eigen::Matrix<double, states, inputs>::Zero();
    b.leftCols(own.b.cols()) = own.b;
    Eigen::Matrix<double, states + inputs, states + inputs> j;
    j << a, b, now.by_rate * a + now.by_state, now.by_rate * b + now.by_input;
    return j;
  }

 private:
  typename Model::Forcing model_forcing(const State& z, const Forcing& at) const {
    typename Model::Forcing forcing;
    std::copy_n(z.data() + states, inputs, forcing.u.begin());
    forcing.w = at.w;
    return forcing;
  }
};

/// The coefficients at equidistant instants of a macro-step, kept while they stay the same.
template <class Model>
class InputTable {
 public:
  using Instant = typename WithInputs<Model>::Instant;

  /// At t_k + i/count·H for i = 0 … count.
  void prepare(const InputDynamics& dynamics, double macro_step_s, int count) {
    const auto size = static_cast<std::size_t>(count) + 1;
    if (instants_.size() != size) {
      instants_.resize(size);
      coefficients_.resize(size);
      version_ = -1;
    }
    if (version_ != dynamics.version || macro_step_s_ != macro_step_s) {
      version_ = dynamics.version;
      macro_step_s_ = macro_step_s;
      for (std::size_t i = 0; i < size; ++i) {
        set(dynamics, instants_[i], coefficients_[i],
            static_cast<double>(i) / count * macro_step_s);
      }
      return;
    }
    for (std::size_t i = 0; i < size; ++i) {
      set_drift(dynamics, coefficients_[i].by_rest_rate(), instants_[i].drift);
    }
  }

  const Instant* at(std::size_t i) const { return &instants_[i]; }

  /// All of one instant.
  static void set(const InputDynamics& dynamics, Instant& instant, InputCoefficients& coefficients,
                  double tau_s) {
    coefficients.evaluate(dynamics, tau_s);
    const auto connected = coefficients.by_input().rows();
    ensure(connected <= WithInputs<Model>::inputs, "a model has room for its inputs");
    instant.by_rate.setZero();
    instant.by_state.setZero();
    instant.by_input.setZero();
    instant.by_rate.topRows(connected) = coefficients.by_rate();
    instant.by_state.topRows(connected) = coefficients.by_state();
    instant.by_input.topLeftCorner(connected, connected) = coefficients.by_input();
    set_drift(dynamics, coefficients.by_rest_rate(), instant.drift);
  }

 private:
  static void set_drift(const InputDynamics& dynamics, const Eigen::MatrixXd& by_rest_rate,
                        typename WithInputs<Model>::Inputs& drift) {
    drift.setZero();
    for (Eigen::Index k = 0; k < by_rest_rate.cols(); ++k) {
      for (Eigen::Index i = 0; i < by_rest_rate.rows(); ++i) {
        drift[i] += by_rest_rate(i, k) * dynamics.rest.state_rate[k];
      }
    }
  }

  std::vector<Instant> instants_;
  std::vector<InputCoefficients> coefficients_;
  std::int64_t version_ = -1;
  double macro_step_s_ = 0;
};

}  // namespace macrostep::models
