// The crane's mechanics of several trials at once (models/lanes/lanes.hpp).
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "models/crane/augmented_lagrangian.hpp"
#include "models/crane/crane_subsystem.hpp"
#include "models/lanes/lane_state.hpp"

#ifdef MACROSTEP_LANES

namespace macrostep::models {

namespace {

template <class Algorithm>
class CraneLanes final : public LaneSubsystem {
 public:
  CraneLanes(const CraneMechanics& crane, std::optional<double> micro_step_s)
      : crane_(crane), micro_step_s_(micro_step_s) {}

  void bind(std::size_t, std::span<const ExternalSignal>) override {}
  std::size_t size() const override { return crane_state_size; }
  void load(std::size_t lane, std::span<const double> saved) override { state_.load(lane, saved); }
  void save(std::size_t lane, std::span<double> into) const override { state_.save(lane, into); }

  [[gnu::flatten]] void step(const LaneValues&, double size_s, const LaneStep& mine) override {
    micro_.fit(size_s, micro_step_s_);
    const auto inputs = mine.inputs;
    auto state = this->state();
    LaneMask open = LaneMask::load(mine.active.data());
    LaneCounts evaluations;
    for (int k = 0; k < micro_.count; ++k) {
      CraneForcesOf<Lanes> f{Lanes(0), Lanes(0)};
      const double theta = (k + 1) * micro_.share;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        f[i] = polynomial_value<max_extrapolation_order>(loaded(inputs[i]), theta);
      }
      open = Algorithm::template advance<Lanes>(crane_, f, micro_.size_s, state, evaluations, open);
    }
    std::size_t at = 0;
    state.for_each([&](const Lanes& value) { state_.set(at++, value); });
    open.store(mine.active.data());
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      mine.rhs_evaluations[lane] += evaluations[lane];
    }
  }

  const char* failure() const override { return augmented_lagrangian_failed; }

  [[gnu::flatten]] void outputs(std::span<const LaneValues>,
                                std::span<LaneValues> y) const override {
    const auto state = this->state();
    for (int i = 0; i < crane_.actuators(); ++i) {
      const auto motion = crane_.motion(state, i);
      const auto first = static_cast<std::size_t>(3 * i);
      motion.s.store(y[first].data());
      motion.s_dot.store(y[first + 1].data());
      motion.s_ddot.store(y[first + 2].data());
    }
  }

 private:
  CraneStateOf<Lanes> state() const {
    CraneStateOf<Lanes> state;
    std::size_t at = 0;
    state.for_each([&](Lanes& value) { value = state_.get(at++); });
    return state;
  }

  CraneMechanics crane_;
  std::optional<double> micro_step_s_;
  MicroSteps micro_;
  LaneState<crane_state_size> state_;
};

}  // namespace

template <>
std::unique_ptr<LaneSubsystem> make_crane_lanes<compiled_level>(
    const CraneParameters& parameters, int actuators, Integrator integrator,
    std::optional<double> micro_step_s) {
  const CraneMechanics crane(parameters, actuators);
  switch (integrator) {
    case Integrator::i1al:
      return std::make_unique<CraneLanes<I1al>>(crane, micro_step_s);
    case Integrator::i3al:
      return std::make_unique<CraneLanes<I3al>>(crane, micro_step_s);
    default:
      return nullptr;
  }
}

}  // namespace macrostep::models

#endif
