// Binds a model and a stepper (ode_subsystem.hpp) to the interface of several trials. For files
// compiled for lanes alone (lanes.hpp).
//
// A `Model` also provides StateOf<Real>, ForcingOf<Real>, and lane_outputs(x, forcing, y), which
// calls y(index, value) for every output.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "models/lane_signals.hpp"
#include "models/lane_state.hpp"
#include "models/lanes.hpp"
#include "models/ode_subsystem.hpp"

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
  std::size_t load(std::size_t lane, std::span<const double> saved) override {
    return state_.load(lane, saved);
  }
  void save(std::size_t lane, std::vector<double>& onto) const override { state_.save(lane, onto); }

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
    typename Model::template ForcingOf<Lanes> forcing{};
    for (std::size_t i = 0; i < u.size(); ++i) {
      forcing.u[i] = Lanes::load(u[i].data());
    }
    model_.lane_outputs(loaded(), forcing,
                        [&](std::size_t i, const Lanes& value) { value.store(y[i].data()); });
  }

 private:
  using State = typename Model::template StateOf<Lanes>;

  Lanes external_at(std::size_t i, double after_s) const {
    LaneValues values;
    externals_[i].values(after_s, values);
    return Lanes::load(values.data());
  }

  State loaded() const {
    State state;
    for (std::size_t i = 0; i < state_.values.size(); ++i) {
      state[static_cast<Eigen::Index>(i)] = Lanes::load(state_.values[i].data());
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
      states[b] = all[b]->loaded();
      for (std::size_t i = 0; i < steps[b].inputs.size(); ++i) {
        for (std::size_t k = 0; k < polynomials[b][i].size(); ++k) {
          polynomials[b][i][k] = Lanes::load(steps[b].inputs[i][k].data());
        }
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
        Lanes sum = polynomials[b][i][max_extrapolation_order];
        for (std::size_t n = max_extrapolation_order; n > 0; --n) {
          sum = polynomials[b][i][n - 1] + theta * sum;
        }
        values.u[i] = sum;
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
      for (std::size_t i = 0; i < all[b]->state_.values.size(); ++i) {
        states[b][static_cast<Eigen::Index>(i)].store(all[b]->state_.values[i].data());
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
  LaneState<State::RowsAtCompileTime> state_;
  std::array<LaneSignals, Model::external_count> externals_;
};

}  // namespace MACROSTEP_LANES

}  // namespace macrostep::models

#endif
