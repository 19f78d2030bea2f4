// Binds a model and a stepper (ode_subsystem.hpp) to the interface of several trials. For files
// compiled for AVX2 alone (lanes.hpp).
//
// A `Model` also provides StateOf<Real>, ForcingOf<Real>, and lane_outputs(x, forcing, y), which
// calls y(index, value) for every output.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>

#include "models/lane_signals.hpp"
#include "models/lanes.hpp"
#include "models/ode_subsystem.hpp"

namespace macrostep::models {

#ifdef __AVX2__

template <class Model, class Stepper>
class LaneOde final : public LaneSubsystem {
 public:
  LaneOde(const Model& model, std::optional<double> micro_step_s)
      : model_(model), micro_step_s_(micro_step_s) {}

  void bind(std::size_t lane, std::span<const ExternalSignal> externals) override {
    for (std::size_t i = 0; i < externals_.size(); ++i) {
      externals_[i].bind(lane, externals[i]);
    }
  }
  void load(std::size_t lane, std::span<const double> saved) override { state_.load(lane, saved); }
  std::size_t saved_size() const override { return state_.values.size(); }
  void save(std::size_t lane, std::span<double> into) const override { state_.save(lane, into); }

  void step(const MacroStep& macro, std::span<const LanePolynomial> inputs, LaneFlags& active,
            LaneIntegers& rhs_evaluations) override {
    micro_.fit(macro.size_s, micro_step_s_);
    bool stand_still = true;
    for (auto& external : externals_) {
      external.begin(macro.start_s, macro.start_s + micro_.count * micro_.size_s);
      stand_still &= external.stand_still();
    }
    if (stand_still) {
      std::array<Lanes, Model::external_count> w;
      for (std::size_t i = 0; i < w.size(); ++i) {
        w[i] = external_at(i, macro.start_s);
      }
      micro_steps(macro, inputs, active, rhs_evaluations,
                  [&w](std::size_t i, double) { return w[i]; });
    } else {
      micro_steps(macro, inputs, active, rhs_evaluations,
                  [this](std::size_t i, double time_s) { return external_at(i, time_s); });
    }
  }

  const char* failure() const override { return newton_failed; }

  [[gnu::flatten]] void outputs(std::span<const LaneValues> u,
                                std::span<LaneValues> y) const override {
    typename Model::template ForcingOf<Lanes> forcing{};
    for (std::size_t i = 0; i < u.size(); ++i) {
      forcing.u[i] = Lanes::load(u[i].data());
    }
    model_.lane_outputs(loaded(), forcing,
                        [&](std::size_t i, const Lanes& value) { value.store(y[i].data()); });
  }

 private:
  using State = typename Model::template StateOf<Lanes>;

  Lanes external_at(std::size_t i, double time_s) const {
    LaneValues values;
    externals_[i].values(time_s, values);
    return Lanes::load(values.data());
  }

  State loaded() const {
    State state;
    for (std::size_t i = 0; i < state_.values.size(); ++i) {
      state[static_cast<Eigen::Index>(i)] = Lanes::load(state_.values[i].data());
    }
    return state;
  }

  /// As OdeSubsystem::micro_steps; polynomials of lower degree have coefficients of 0.
  template <class External>
  [[gnu::flatten]] void micro_steps(const MacroStep& macro, std::span<const LanePolynomial> inputs,
                                    LaneFlags& active, LaneIntegers& rhs_evaluations,
                                    const External& external) {
    State state = loaded();
    // Inputs that are not connected are 0.
    std::array<std::array<Lanes, max_extrapolation_order + 1>, Model::input_count> polynomials{};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      for (std::size_t k = 0; k < polynomials[i].size(); ++k) {
        polynomials[i][k] = Lanes::load(inputs[i][k].data());
      }
    }
    const double start_s = macro.start_s;
    const int count = micro_.count;
    const double h = micro_.size_s;
    const double theta_step = micro_.share;
    LaneMask open = LaneMask::load(active.data());
    LaneCounts evaluations;
    // The end of a micro-step is the beginning of the next, where it is looked at.
    constexpr bool looks_at_end = Stepper::looks_at_end;
    typename Model::template ForcingOf<Lanes> values;
    [[maybe_unused]] double known_at = -1;
    for (int k = 0; k < count; ++k) {
      const auto forcing = [&](double c) {
        const double micro_steps_done = k + c;
        if constexpr (looks_at_end) {
          if (micro_steps_done == known_at) {
            return values;
          }
          known_at = micro_steps_done;
        }
        const double theta = micro_steps_done * theta_step;
        for (std::size_t i = 0; i < polynomials.size(); ++i) {
          Lanes sum = polynomials[i][max_extrapolation_order];
          for (std::size_t n = max_extrapolation_order; n > 0; --n) {
            sum = polynomials[i][n - 1] + theta * sum;
          }
          values.u[i] = sum;
        }
        for (std::size_t i = 0; i < Model::external_count; ++i) {
          values.w[i] = external(i, start_s + micro_steps_done * h);
        }
        return values;
      };
      open = Stepper::advance(model_, forcing, h, state, evaluations, open);
    }
    for (std::size_t i = 0; i < state_.values.size(); ++i) {
      state[static_cast<Eigen::Index>(i)].store(state_.values[i].data());
    }
    open.store(active.data());
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      rhs_evaluations[lane] += evaluations[lane];
    }
  }

  Model model_;
  std::optional<double> micro_step_s_;
  MicroSteps micro_;
  LaneState<State::RowsAtCompileTime> state_;
  std::array<LaneSignals, Model::external_count> externals_;
};

#endif

}  // namespace macrostep::models
