// Binds a native model (a plain struct) and a stepper to the Subsystem interface.
//
// A `Model` provides: State, Inputs, Externals (fixed-size Eigen vectors), Forcing {u, w},
// derivatives(x, forcing), outputs(x, forcing, y), initial_state(), description().
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>
#include <utility>

#include "models/integrators/hot_loop.hpp"
#include "models/integrators/native_jacobians.hpp"
#include "models/integrators/steppers.hpp"
#include "models/integrators/with_inputs.hpp"
#include "models/subsystem/ensure.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// Values that drive a model at one instant: coupling inputs u and external inputs w.
template <int input_count, int external_count, class Real = double>
struct Forcing {
  std::array<Real, input_count> u;
  std::array<Real, external_count> w;
};

/// A model whose inputs act by their sum alone: driven_by_sum() is the same model with that sum as
/// its only input.
template <class Model>
inline constexpr bool sums_inputs = requires(const Model& model) {
  model.driven_by_sum();
};

/// What the micro-steps integrate: inputs that act by their sum are added up first.
template <class Model>
const auto& stepped(const Model& model) {
  if constexpr (sums_inputs<Model>) {
    return model.driven_by_sum();
  } else {
    return model;
  }
}
template <class Model>
using Stepped = std::remove_cvref_t<decltype(stepped(std::declval<const Model&>()))>;

template <class Model, class Stepper>
class OdeSubsystem final : public Subsystem {
 public:
  OdeSubsystem(Model model, std::optional<double> micro_step_s)
      : model_(std::move(model)), description_(model_.description()), micro_step_s_(micro_step_s) {
    ensure(description_.affine == AffineModel<Model>, "a model says alike whether it is affine");
    description_.provides_jacobians = Linearisable<Model>;
    description_.integrates_inputs = integrates_inputs;
  }

  const Description& describe() const override { return description_; }

  void start(double, std::span<const ExternalSignal> externals) override {
    std::copy(externals.begin(), externals.end(), externals_.begin());
    state_ = model_.initial_state();
  }

  void outputs(double time_s, std::span<const double> u, std::span<double> y) override {
    model_.outputs(state_, forcing_at(time_s, u), y);
  }

  std::optional<std::span<double>> state() override {
    return std::span<double>(state_.data(), static_cast<std::size_t>(state_.size()));
  }
  bool linearise(double time_s, std::span<const double> u, Linearisation& into) override {
    if constexpr (Linearisable<Model>) {
      NativeJacobians<Model>(model_, description_, state_, forcing_at(time_s, u)).write(into);
    }
    return Linearisable<Model>;
  }
  void save(SavedState& into) override { into.values.assign(state_.begin(), state_.end()); }
  void restore(const SavedState& saved) override {
    std::copy(saved.values.begin(), saved.values.end(), state_.begin());
  }

  StepResult step(const MacroStep& macro, const InputModel& input) override {
    micro_.fit(macro.size_s, micro_step_s_);
    if constexpr (prepares) {
      if (prepared_for_s_ != micro_.size_s) {
        prepared_for_s_ = micro_.size_s;
        stepper_.prepare(stepped(model_), micro_.size_s);
      }
    }
    if constexpr (integrates_inputs) {
      if (input.dynamics) {
        return micro_steps_with_inputs(macro, input);
      }
    }
    switch (input.degree) {  // the micro-steps evaluate polynomials of known degree
      case 0:
        return micro_steps<0>(macro, input);
      case 1:
        return micro_steps<1>(macro, input);
      case 2:
        return micro_steps<2>(macro, input);
      default:
        return micro_steps<max_extrapolation_order>(macro, input);
    }
  }

 private:
  static constexpr bool integrates_inputs =
      Linearisable<Model> && instants_of<Stepper> > 0 && Model::input_count > 0;
  /// Whether the stepper computes something from the model and h first, and from the forcing then.
  static constexpr bool prepares = requires(Stepper stepper, const Stepped<Model>& model) {
    stepper.prepare(model, 0.0);
  };

  typename Model::Forcing forcing_at(double time_s, std::span<const double> u) const {
    typename Model::Forcing forcing{};
    // A model may have room for more. One by one, as they were stored: a copy of all would wait.
    for (std::size_t i = 0; i < forcing.u.size() && i < u.size(); ++i) {
      forcing.u[i] = u[i];
    }
    for (std::size_t i = 0; i < externals_.size(); ++i) {
      forcing.w[i] = externals_[i].signal.value(time_s);
    }
    return forcing;
  }

  template <int degree>
  StepResult micro_steps(const MacroStep& macro, const InputModel& input) {
    const auto constants = constant_externals(macro);
    if constexpr (Model::external_count > 0) {
      if (!constants) {
        const auto externals = externals_over(macro);
        return micro_steps<degree>(macro, input, [&](std::size_t i, double time_s) {
          return externals[i].signal.value(time_s);
        });
      }
    }
    return micro_steps<degree>(macro, input,
                               [w = *constants](std::size_t i, double) { return w[i]; });
  }

  /// external(i, time_s): the i-th external input.
  template <int degree, class External>
  MACROSTEP_HOT_LOOP StepResult micro_steps(const MacroStep& macro, const InputModel& input,
                                            const External& external) {
    // Everything the micro-steps read is copied to locals: the compiler cannot know that `this` and
    // the spans do not overlap, and reloads them at every stage otherwise.
    const Stepped<Model>& model = stepped(model_);
    const Stepper stepper = stepper_;
    typename Model::State state = state_;
    std::array<std::array<double, degree + 1>, Stepped<Model>::input_count> polynomials{};
    for (std::size_t i = 0; i < Model::input_count && i < input.polynomials.size(); ++i) {
      auto& polynomial = polynomials[sums_inputs<Model> ? 0 : i];
      for (std::size_t k = 0; k <= degree; ++k) {
        polynomial[k] += input.polynomials[i].coefficients[k];
      }
    }
    const double start_s = macro.start_s;
    const int count = micro_.count;
    const double h = micro_.size_s;
    const double theta_step = micro_.share;
    std::int64_t rhs_evaluations = 0;
    bool solved = true;
    const auto driven_at = [&](double micro_steps_done) {
      typename Stepped<Model>::Forcing values;
      for (std::size_t i = 0; i < polynomials.size(); ++i) {
        values.u[i] = polynomial_value<degree>(polynomials[i], micro_steps_done * theta_step);
      }
      for (std::size_t i = 0; i < Stepped<Model>::external_count; ++i) {
        values.w[i] = external(i, start_s + micro_steps_done * h);
      }
      if constexpr (prepares) {
        return stepper.driven(values);
      } else {
        return drive_of(model, values);
      }
    };
    if constexpr (Stepper::looks_at_end) {
      auto begin = driven_at(0);
      for (int k = 0; k < count && solved; ++k) {
        const auto end = driven_at(k + 1.0);
        const auto forcing = [&](double c) {
          return c == 0 ? begin : c == 1 ? end : driven_at(k + c);
        };
        solved = stepper.advance(model, forcing, h, state, rhs_evaluations);
        begin = end;
      }
    } else {
      for (int k = 0; k < count && solved; ++k) {
        const auto forcing = [&](double c) { return driven_at(k + c); };
        solved = stepper.advance(model, forcing, h, state, rhs_evaluations);
      }
    }
    state_ = state;
    return result_of(solved, rhs_evaluations);
  }

  /// The micro-steps for inputs that move by equations of their own.
  StepResult micro_steps_with_inputs(const MacroStep& macro, const InputModel& input) {
    using Extended = WithInputs<Model>;
    constexpr int instants = instants_of<Stepper>;
    const int count = micro_.count;
    const double h = micro_.size_s;
    table_.prepare(*input.dynamics, macro.size_s, instants * count);
    const auto externals = externals_over(macro);

    typename Extended::State state = Extended::State::Zero();
    state.template head<Extended::states>() = state_;
    for (std::size_t i = 0; i < input.polynomials.size(); ++i) {
      state[Extended::states + static_cast<Eigen::Index>(i)] = input.polynomials[i].coefficients[0];
    }
    const Extended model{model_, *input.dynamics, state};
    std::int64_t rhs_evaluations = 0;
    bool solved = true;
    for (int k = 0; k < count && solved; ++k) {
      const auto forcing = [&](double c) {
        typename Extended::Forcing values;
        for (std::size_t i = 0; i < externals.size(); ++i) {
          values.w[i] = externals[i].signal.value(macro.start_s + (k + c) * h);
        }
        values.instant = table_.at(static_cast<std::size_t>((k + c) * instants));
        return values;
      };
      solved = StepperWithInputs<Stepper>::Type::advance(model, forcing, h, state, rhs_evaluations);
    }
    state_ = state.template head<Extended::states>();
    input.dynamics->set_end({state.data() + Extended::states, Extended::inputs});
    return result_of(solved, rhs_evaluations);
  }

  static StepResult result_of(bool solved, std::int64_t rhs_evaluations) {
    if (!solved) {
      return {StepStatus::solver_failed, rhs_evaluations, newton_failed};
    }
    return {StepStatus::ok, rhs_evaluations};
  }

  /// The external inputs if all keep one value from the first micro-step to the last: most do
  /// nearly always, and micro-steps that evaluate no signal are a quarter shorter.
  std::optional<std::array<double, Model::external_count>> constant_externals(
      const MacroStep& macro) const {
    std::array<double, Model::external_count> values{};
    const double end_s = macro.start_s + micro_.count * micro_.size_s;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto& [signal, sampling] = externals_[i];
      if (sampling == Sampling::continuous && !signal.is_constant(macro.start_s, end_s)) {
        return std::nullopt;
      }
      values[i] = signal.value(macro.start_s);
    }
    return values;
  }

  /// Held ones as constants.
  auto externals_over(const MacroStep& macro) const {
    auto externals = externals_;
    for (auto& external : externals) {
      if (external.sampling == Sampling::held) {
        external.signal = {.base = external.signal.value(macro.start_s)};
      }
    }
    return externals;
  }

  Model model_;
  Description description_;
  std::optional<double> micro_step_s_;
  MicroSteps micro_;
  Stepper stepper_;
  double prepared_for_s_ = 0;  ///< the micro-step that the stepper is prepared for
  typename Model::State state_ = Model::State::Zero();
  std::array<ExternalSignal, Model::external_count> externals_{};
  InputTable<Model> table_;  ///< of inputs that move by equations of their own
};

}  // namespace macrostep::models
