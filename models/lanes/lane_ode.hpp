// Binds a model and a stepper (ode_subsystem.hpp) to the interface of several trials. For files
// compiled for lanes alone (lanes.hpp).
//
// What a `Model` of ode_subsystem.hpp has for one trial it has for several, too: StateOf<Real>,
// ForcingOf<Real>, what its steppers ask for (drive, derivatives, newton), and lane_outputs(x, u,
// write), which calls write(index, value) for every output; of external inputs none depends.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "models/integrators/ode_subsystem.hpp"
#include "models/lanes/lane_signals.hpp"
#include "models/lanes/lane_state.hpp"
#include "models/lanes/lanes.hpp"

#ifdef MACROSTEP_LANES

namespace macrostep::models {

inline namespace MACROSTEP_LANES {

template <class Model, class Stepper>
class LaneOde final : public LaneSubsystem {
 public:
  LaneOde(const Model& model, std::optional<double> micro_step_s)
      : model_(model), micro_step_s_(micro_step_s) {}

  void bind(std::size_t lane, std::span<const ExternalSignal> externals) override {
    for (std::size_t i = 0; i < externals_.size(); ++i) {
      externals_[i].bind(lane, externals.empty() ? ExternalSignal{} : externals[i]);
    }
  }
  std::size_t size() const override { return state_size; }
  void load(std::size_t lane, std::span<const double> saved) override { state_.load(lane, saved); }
  void save(std::size_t lane, std::span<double> into) const override { state_.save(lane, into); }

  void step(const LaneValues& start_s, double size_s, const LaneStep& mine) override {
    step_all<1>({this}, start_s, size_s, std::array{mine});
  }

  bool steps_well_with(const LaneSubsystem& other) const override {
    // With fewer registers their states are kept in memory.
    const auto* alike = dynamic_cast<const LaneOde*>(&other);
    return compiled_level == LaneLevel::avx512 && alike && alike->micro_step_s_ == micro_step_s_;
  }
  void step_with(LaneSubsystem& other, const LaneValues& start_s, double size_s,
                 const std::array<LaneStep, 2>& mine_and_others) override {
    step_all<2>({this, static_cast<LaneOde*>(&other)}, start_s, size_s, mine_and_others);
  }

  const char* failure() const override { return newton_failed; }

  [[gnu::flatten]] void outputs(std::span<const LaneValues> u,
                                std::span<LaneValues> y) const override {
    std::array<Lanes, Model::input_count> inputs{};
    for (std::size_t i = 0; i < u.size(); ++i) {
      inputs[i] = Lanes::load(u[i].data());
    }
    model_.lane_outputs(state(), inputs,
                        [&](std::size_t i, const Lanes& value) { value.store(y[i].data()); });
  }

 private:
  using State = typename Model::template StateOf<Lanes>;
  static constexpr std::size_t state_size = State::RowsAtCompileTime;

  Lanes external_at(std::size_t i, double after_s) const {
    LaneValues values;
    externals_[i].values(after_s, values);
    return Lanes::load(values.data());
  }

  State state() const {
    State state;
    for (std::size_t i = 0; i < state_size; ++i) {
      state[static_cast<Eigen::Index>(i)] = state_.get(i);
    }
    return state;
  }

  template <std::size_t bodies>
  using All = std::array<LaneOde*, bodies>;
  template <std::size_t bodies>
  using Steps = std::array<LaneStep, bodies>;

  /// Alike subsystems, with the same micro-step.
  template <std::size_t bodies>
  static void step_all(const All<bodies>& all, const LaneValues& start_s, double size_s,
                       const Steps<bodies>& steps) {
    bool stand_still = true;
    for (auto* one : all) {
      one->micro_.fit(size_s, one->micro_step_s_);
      for (auto& external : one->externals_) {
        external.begin(start_s, one->micro_.count * one->micro_.size_s);
        stand_still &= external.stand_still();
      }
    }
    if (stand_still) {
      std::array<std::array<Lanes, Model::external_count>, bodies> w;
      for (std::size_t b = 0; b < bodies; ++b) {
        for (std::size_t i = 0; i < Model::external_count; ++i) {
          w[b][i] = all[b]->external_at(i, 0);
        }
      }
      micro_steps(all, steps, [&w](std::size_t b, std::size_t i, double) { return w[b][i]; });
    } else {
      micro_steps(all, steps, [&all](std::size_t b, std::size_t i, double after_s) {
        return all[b]->external_at(i, after_s);
      });
    }
  }

  /// As OdeSubsystem::micro_steps; polynomials of lower degree have coefficients of 0.
  /// external(b, i, after_s): the i-th external input, so long after the start of the macro-step.
  template <std::size_t bodies, class External>
  [[gnu::flatten]] static void micro_steps(const All<bodies>& all, const Steps<bodies>& steps,
                                           const External& external) {
    std::array<const Model*, bodies> models;
    std::array<State, bodies> states;
    // Inputs that are not connected are 0.
    std::array<std::array<std::array<Lanes, max_extrapolation_order + 1>, Model::input_count>,
               bodies>
        polynomials{};
    std::array<LaneMask, bodies> open;
    std::array<LaneCounts, bodies> evaluations;
    for (std::size_t b = 0; b < bodies; ++b) {
      models[b] = &all[b]->model_;
      states[b] = all[b]->state();
      for (std::size_t i = 0; i < steps[b].inputs.size(); ++i) {
        polynomials[b][i] = loaded(steps[b].inputs[i]);
      }
      open[b] = LaneMask::load(steps[b].active.data());
    }
    const auto& micro = all[0]->micro_;
    const int count = micro.count;
    const double h = micro.size_s;
    const double theta_step = micro.share;
    const auto driven_at = [&](std::size_t b, double micro_steps_done) {
      typename Model::template ForcingOf<Lanes> values;
      const double theta = micro_steps_done * theta_step;
      for (std::size_t i = 0; i < Model::input_count; ++i) {
        values.u[i] = polynomial_value<max_extrapolation_order>(polynomials[b][i], theta);
      }
      for (std::size_t i = 0; i < Model::external_count; ++i) {
        values.w[i] = external(b, i, micro_steps_done * h);
      }
      return drive_of(*models[b], values);
    };
    // The end of a micro-step is the beginning of the next, where it is looked at.
    std::array<decltype(driven_at(0, 0)), bodies> begin, end;
    for (std::size_t b = 0; b < bodies; ++b) {
      begin[b] = driven_at(b, 0);
    }
    for (int k = 0; k < count; ++k) {
      for (std::size_t b = 0; b < bodies; ++b) {
        if constexpr (Stepper::looks_at_end) {
          end[b] = driven_at(b, k + 1.0);
        } else if (k > 0) {
          begin[b] = driven_at(b, k);
        }
      }
      const auto forcing = [&](std::size_t b) {
        return [&, b](double c) { return c == 0 ? begin[b] : end[b]; };
      };
      if constexpr (bodies == 2 && requires { Stepper::advances_both; }) {
        Stepper::advance_both(models, forcing, h, states, evaluations, open);
      } else {
        for (std::size_t b = 0; b < bodies; ++b) {
          open[b] = Stepper::advance(*models[b], forcing(b), h, states[b], evaluations[b], open[b]);
        }
      }
      if constexpr (Stepper::looks_at_end) {
        begin = end;
      }
    }
    for (std::size_t b = 0; b < bodies; ++b) {
      for (std::size_t i = 0; i < state_size; ++i) {
        all[b]->state_.set(i, states[b][static_cast<Eigen::Index>(i)]);
      }
      open[b].store(steps[b].active.data());
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        steps[b].rhs_evaluations[lane] += evaluations[b][lane];
      }
    }
  }

  Model model_;
  std::optional<double> micro_step_s_;
  MicroSteps micro_;
  LaneState<state_size> state_;
  std::array<LaneSignals, Model::external_count> externals_;
};

}  // namespace MACROSTEP_LANES

}  // namespace macrostep::models

#endif
