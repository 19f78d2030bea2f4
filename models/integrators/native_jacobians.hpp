// The linearisation of a native model (ode_subsystem.hpp says what that is).
//
//   A  from the model's jacobian(x, forcing), else by central differences
//   B, C, D  by central differences, (f(x + δ) − f(x − δ))/2δ with an error of δ² f‴/6
//
// For a linear model the derivatives by unit vectors are exact, and so is a central difference of
// any size for its energy, which is quadratic. δ is a share of the magnitude: |x| or the nominal
// state, |u| or 1 in the unit of the input, as metres, metres per second and newtons are what
// nonlinear models receive.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "models/integrators/dynamics.hpp"
#include "models/subsystem/ensure.hpp"
#include "models/subsystem/linearisation.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// δ/magnitude: near the third root of a rounding, where it and δ² are equally bad.
inline constexpr double jacobian_share = 6e-6;
/// Outputs of a native model, at most.
inline constexpr std::size_t max_native_outputs = 16;

/// Whether the model has a state of independent numbers and their derivatives: what moves under an
/// augmented Lagrangian has not.
template <class Model>
concept Linearisable = requires(const Model& model, typename Model::State x,
                                typename Model::Forcing forcing) {
  model.derivatives(x, forcing);
};

template <Linearisable Model>
class NativeJacobians {
 public:
  using State = typename Model::State;
  using Forcing = typename Model::Forcing;

  NativeJacobians(const Model& model, const Description& ports, const State& x, const Forcing& at)
      : model_(model), ports_(ports), x_(x), at_(at) {
    ensure(ports.outputs.size() <= max_native_outputs, "outputs of a native model fit");
  }

  void write(Linearisation& into) const {
    const auto inputs = static_cast<Eigen::Index>(ports_.inputs.size());
    const auto outputs = static_cast<Eigen::Index>(ports_.outputs.size());
    into.state_rate = model_.derivatives(x_, at_);
    if (into.constant) {
      return;
    }
    into.a.resize(states, states);
    into.b.resize(states, inputs);
    into.c.resize(outputs, states);
    into.d.resize(outputs, inputs);
    if constexpr (LinearModel<Model>) {
      write_linear(into);
      into.constant = true;
    } else {
      write_differences(into);
    }
  }

 private:
  static constexpr int states = State::RowsAtCompileTime;
  using Outputs = std::array<double, max_native_outputs>;

  void write_linear(Linearisation& into) const {
    for (int k = 0; k < states; ++k) {
      const State unit = State::Unit(k);
      into.a.col(k) = model_.derivatives(unit, Forcing{});
      model_.outputs(unit, Forcing{}, column(into.c, k));
    }
    for (Eigen::Index k = 0; k < into.b.cols(); ++k) {
      Forcing unit{};
      unit.u[static_cast<std::size_t>(k)] = 1;
      into.b.col(k) = model_.derivatives(State::Zero(), unit);
      model_.outputs(State::Zero(), unit, column(into.d, k));
    }
    write_energy_row(into);
  }

  /// Differences as large as the values themselves, which are exact and lose no digits.
  void write_energy_row(Linearisation& into) const {
    if (!ports_.energy_output) {
      return;
    }
    const auto row = static_cast<Eigen::Index>(*ports_.energy_output);
    const auto set = [&](double& entry, double delta, const Outputs& behind, const Outputs& ahead) {
      entry = (ahead[*ports_.energy_output] - behind[*ports_.energy_output]) / (2 * delta);
    };
    for (int k = 0; k < states; ++k) {
      const double delta = magnitude(k);
      set(into.c(row, k), delta, outputs_at(moved_state(k, -delta), at_),
          outputs_at(moved_state(k, delta), at_));
    }
    for (Eigen::Index k = 0; k < into.d.cols(); ++k) {
      const double delta = magnitude_of_input(k);
      set(into.d(row, k), delta, outputs_at(x_, moved_input(k, -delta)),
          outputs_at(x_, moved_input(k, delta)));
    }
  }

  void write_differences(Linearisation& into) const {
    constexpr bool has_jacobian = requires {
      model_.jacobian(x_, at_);
    };
    if constexpr (has_jacobian) {
      into.a = model_.jacobian(x_, at_);
    }
    for (int k = 0; k < states; ++k) {
      const double delta = jacobian_share * magnitude(k);
      const State behind = moved_state(k, -delta);
      const State ahead = moved_state(k, delta);
      if constexpr (!has_jacobian) {
        into.a.col(k) =
            (model_.derivatives(ahead, at_) - model_.derivatives(behind, at_)) / (2 * delta);
      }
      write_slopes(outputs_at(behind, at_), outputs_at(ahead, at_), delta, column(into.c, k));
    }
    for (Eigen::Index k = 0; k < into.b.cols(); ++k) {
      const double delta = jacobian_share * magnitude_of_input(k);
      const Forcing behind = moved_input(k, -delta);
      const Forcing ahead = moved_input(k, delta);
      into.b.col(k) =
          (model_.derivatives(x_, ahead) - model_.derivatives(x_, behind)) / (2 * delta);
      write_slopes(outputs_at(x_, behind), outputs_at(x_, ahead), delta, column(into.d, k));
    }
  }

  static void write_slopes(const Outputs& behind, const Outputs& ahead, double delta,
                           std::span<double> slopes) {
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      slopes[i] = (ahead[i] - behind[i]) / (2 * delta);
    }
  }

  static std::span<double> column(Eigen::MatrixXd& m, Eigen::Index k) {
    return {m.col(k).data(), static_cast<std::size_t>(m.rows())};
  }

  Outputs outputs_at(const State& x, const Forcing& at) const {
    Outputs y{};
    model_.outputs(x, at, std::span(y).first(ports_.outputs.size()));
    return y;
  }

  double magnitude(int state) const {
    return std::max(std::abs(x_[state]), model_.nominal_state()[state]);
  }
  double magnitude_of_input(Eigen::Index input) const {
    return std::max(std::abs(at_.u[static_cast<std::size_t>(input)]), 1.0);
  }
  State moved_state(int state, double delta) const {
    State x = x_;
    x[state] += delta;
    return x;
  }
  Forcing moved_input(Eigen::Index input, double delta) const {
    Forcing at = at_;
    at.u[static_cast<std::size_t>(input)] += delta;
    return at;
  }

  const Model& model_;
  const Description& ports_;
  const State& x_;
  const Forcing& at_;
};

}  // namespace macrostep::models
