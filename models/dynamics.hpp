// The continuous system of a native model as plain functions, without a stepper: what a monolithic
// reference solution couples and integrates.
//
//   ẋ = f(x, u, w),  y = g(x, u, w)
//
// with coupling inputs u and external inputs w in the order of the model's ports.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "models/cvode_solver.hpp"

namespace macrostep::models {

struct Dynamics {
  using Function = std::function<void(std::span<const double> x, std::span<const double> u,
                                      std::span<const double> w, std::span<double> result)>;

  Eigen::VectorXd initial_state;
  Eigen::VectorXd nominal_state;  ///< typical magnitudes, for tolerances
  Function derivatives;           ///< f into `result`, of the size of x
  Function outputs;               ///< g into `result`, of the number of outputs
  /// f is linear in (x, u, w), without a constant part, and so is g but for an energy.
  bool linear = false;
  /// Rings with little damping, or has a Jacobian that is infinite somewhere: for Adams' method.
  bool prefers_adams = false;
};

/// A model that says of itself that it is linear: `static constexpr bool linear = true`.
template <class Model>
concept LinearModel = Model::linear;

/// A model that says `static constexpr CvodeMethod cvode_method = CvodeMethod::adams`.
template <class Model>
concept AdamsModel = Model::cvode_method == CvodeMethod::adams;

template <class Model>
Dynamics dynamics_of(Model model) {
  const auto forcing = [](std::span<const double> u, std::span<const double> w) {
    typename Model::Forcing values{};
    std::copy(u.begin(), u.end(), values.u.begin());
    std::copy(w.begin(), w.end(), values.w.begin());
    return values;
  };
  const auto state = [](std::span<const double> x) {
    typename Model::State values;
    std::copy(x.begin(), x.end(), values.begin());
    return values;
  };
  return {.initial_state = model.initial_state(),
          .nominal_state = model.nominal_state(),
          .derivatives =
              [=](auto x, auto u, auto w, std::span<double> rate) {
                const auto values = model.derivatives(state(x), forcing(u, w));
                std::copy(values.begin(), values.end(), rate.begin());
              },
          .outputs = [=](auto x, auto u, auto w,
                         std::span<double> y) { model.outputs(state(x), forcing(u, w), y); },
          .linear = LinearModel<Model>,
          .prefers_adams = AdamsModel<Model>};
}

}  // namespace macrostep::models
