// Binds a native model and a solver with a memory to the Subsystem interface; steppers without one
// are bound by ode_subsystem.hpp.
//
// A `Solver` is made from the model and has
//   Memory                      what of it restore() must bring back: numbers, as an aggregate
//   memory()                    a reference to it
//   begin(macro, input, x)      at the start of each macro-step
//   advance(piece, signals, x)  over one piece (pieces.hpp); false if it failed
//   rhs_evaluations()           since begin()
//   failure                     static text: why it fails
//   has_micro_steps             false if it chooses its steps itself
//   integrates_inputs           whether it takes InputModel::dynamics
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <type_traits>

#include "models/integrators/native_jacobians.hpp"
#include "models/subsystem/pieces.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

template <class Model, class Solver>
class SolverSubsystem final : public Subsystem {
 public:
  SolverSubsystem(const Model& model, std::optional<double> micro_step_s)
      : model_(model),
        description_(model_.description()),
        micro_step_s_(micro_step_s),
        solver_(model_) {
    description_.provides_jacobians = Linearisable<Model>;
    description_.integrates_inputs = Solver::integrates_inputs;
  }

  const Description& describe() const override { return description_; }

  void start(double, std::span<const ExternalSignal> externals) override {
    std::copy(externals.begin(), externals.end(), externals_.begin());
    state_ = model_.initial_state();
    solver_.memory() = {};
  }

  void outputs(double time_s, std::span<const double> u, std::span<double> y) override {
    model_.outputs(state_, forcing_at(time_s, u), y);
  }

  StepResult step(const MacroStep& macro, const InputModel& input) override {
    solver_.begin(macro, input, state_);
    const int count = Solver::has_micro_steps ? micro_steps_in(macro.size_s, micro_step_s_) : 1;
    const bool done = for_each_piece(macro, count, externals_, signals_, [&](const Piece& piece) {
      return solver_.advance(piece, signals_, state_);
    });
    StepResult result{.rhs_evaluations = solver_.rhs_evaluations()};
    if (!done) {
      result.status = StepStatus::solver_failed;
      result.reason = Solver::failure;
    }
    return result;
  }

  std::optional<std::span<double>> state() override {
    if constexpr (!Solver::has_micro_steps) {
      return std::nullopt;  // how it steps depends on the steps before
    }
    return std::span<double>(state_.data(), static_cast<std::size_t>(state_.size()));
  }
  bool linearise(double time_s, std::span<const double> u, Linearisation& into) override {
    if constexpr (Linearisable<Model>) {
      NativeJacobians<Model>(model_, description_, state_, forcing_at(time_s, u)).write(into);
    }
    return Linearisable<Model>;
  }
  void save(SavedState& into) override {
    into.values.assign(state_.begin(), state_.end());
    if constexpr (!std::is_empty_v<Memory>) {
      const auto memory = std::bit_cast<MemoryNumbers>(solver_.memory());
      into.values.insert(into.values.end(), memory.begin(), memory.end());
    }
  }
  void restore(const SavedState& saved) override {
    const auto memory_at = saved.values.begin() + state_.size();
    std::copy(saved.values.begin(), memory_at, state_.begin());
    if constexpr (!std::is_empty_v<Memory>) {
      MemoryNumbers memory;
      std::copy_n(memory_at, memory.size(), memory.begin());
      solver_.memory() = std::bit_cast<Memory>(memory);
    }
  }

 private:
  using State = typename Model::State;
  using Memory = typename Solver::Memory;
  using MemoryNumbers = std::array<double, sizeof(Memory) / sizeof(double)>;

  typename Model::Forcing forcing_at(double time_s, std::span<const double> u) const {
    typename Model::Forcing forcing{};
    std::copy(u.begin(), u.end(), forcing.u.begin());  // a model may have room for more
    for (std::size_t i = 0; i < externals_.size(); ++i) {
      forcing.w[i] = externals_[i].signal.value(time_s);
    }
    return forcing;
  }

  Model model_;
  Description description_;
  std::optional<double> micro_step_s_;
  Solver solver_;
  State state_ = State::Zero();
  std::array<ExternalSignal, Model::external_count> externals_{};
  std::array<SignalPiece, Model::external_count> signals_{};
};

}  // namespace macrostep::models
