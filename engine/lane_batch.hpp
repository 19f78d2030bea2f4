// Trials that step side by side, each in a lane (models/lanes.hpp): the macro-step of master.hpp,
// the residual of residual.hpp and the ends of trial.cpp, for the plain case, in which every
// subsystem steps once a macro-step with inputs continued from what was exchanged. Each lane stands
// at a macro-step of its own: a trial is put into one, goes on there, and is taken out again. What
// a trial gives has the bits of the trial that runs alone.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/trial.hpp"
#include "models/lane_subsystem.hpp"

namespace macrostep::engine {

/// Whether trials of this configuration may step side by side, here.
bool steps_in_lanes(const Plan& plan, const Configuration& configuration);

/// Whether a trial is asked for nothing that only one alone can tell: times and energies.
bool may_run_together(const TrialSettings& settings);

/// Where a trial stands between two macro-steps, outside of any lane.
struct LaneCheckpoint {
  std::int64_t macro_steps = 0, rhs_evaluations = 0;
  std::vector<double> numbers;  ///< all else, in the order of LaneBatch::for_each_number
};

/// Protocol: 1. start() every trial that begins by itself; 2. put() trials into free lanes, where
/// they outlive their stay; 3. run(); 4. take_result() of each that has_ended(), and copy() or
/// take() what others shall go on from; 5. again from 2. Only start() and put() allocate.
class LaneBatch {
 public:
  /// For trials of configurations that step in lanes and differ from this one's in extrapolation,
  /// test and duration alone; the same macro-step.
  LaneBatch(const Plan& plan, const TrialSettings& like);

  /// A trial at t = 0, while no lane has one; false where it cannot start.
  bool start(const TrialSettings& trial, LaneCheckpoint& into);
  /// A trial that has not ended goes on from a checkpoint in a lane.
  void put(std::size_t lane, const TrialSettings& trial, const LaneCheckpoint& from);
  void copy(std::size_t lane, LaneCheckpoint& into);
  /// The same; the lane is free then.
  void take(std::size_t lane, LaneCheckpoint& into);

  /// Advances the trials in lanes by so many macro-steps, or until one of them has ended.
  void run(std::int64_t macro_steps);

  std::int64_t macro_steps(std::size_t lane) const { return memory_.macro_steps[lane]; }
  bool has_ended(std::size_t lane) const { return trials_[lane] && memory_.active[lane] == 0; }
  /// Of a trial that has ended, without its wall time; the lane is free then.
  TrialResult take_result(std::size_t lane);

 private:
  using Values = models::LaneValues;

  struct Input {
    std::size_t source = 0;
    bool extrapolate = true;
    std::optional<std::size_t> slope_source = {}, curvature_source = {};
    /// Factors of the derivatives, 0 in lanes that use none.
    Values slope_factor{}, curvature_factor{};
  };
  /// What an input remembers of its source, as InputHistory.
  struct History {
    std::array<Values, models::max_extrapolation_order + 1> differences{};
    Values slope{}, curvature{};
  };
  struct Actor {
    PortRange inputs, outputs;
    double rhs_weight = 1;
    bool steps_with_next = false;
    // Of the macro-step.
    models::LaneFlags solved{};
    models::LaneIntegers evaluations{};
  };
  struct Bond {
    double factor = 1;
    models::LaneFlags held{};  ///< all inputs of the bond are
    Values power_w{}, residual_j{};
  };
  /// All that goes on from one macro-step to the next, but for the subsystems.
  struct Memory {
    models::LaneIntegers macro_steps{}, rhs_evaluations{};
    models::LaneFlags active{};
    std::vector<Values> y, u;
    std::vector<History> histories;
    std::vector<Bond> bonds;
    Values power_w{}, residual_j{}, startup_residual_j{}, transmitted_j{}, cost{};
  };
  /// What all trials of a test have in common at t = 0.
  struct Beginning {
    std::vector<double> y, u;
    std::vector<models::SavedState> saved;  ///< empty where they cannot start
  };
  const Beginning* beginning(const TrialSettings& trial);
  using Externals = std::vector<std::vector<models::ExternalSignal>>;  ///< by subsystem
  const Externals& externals(const TestInput& test);
  void set_up(std::size_t lane, const TrialSettings& trial);
  void bind(std::size_t lane, const TestInput* test);
  template <class Use>
  void for_each_number(std::size_t lane, const Use& use);
  bool is_stopped() const;
  double time_s(std::size_t lane) const {
    return static_cast<double>(memory_.macro_steps[lane]) * macro_step_s_;
  }
  // The macro-step, at the level of the processor (lane_batch_lanes.hpp).
  template <models::LaneLevel level>
  void advance();
  template <models::LaneLevel level>
  models::LaneStep begin_step(std::size_t subsystem);
  template <models::LaneLevel level>
  void step(std::size_t subsystem);
  template <models::LaneLevel level>
  void exchange(std::size_t subsystem);
  template <models::LaneLevel level>
  void continue_input(std::size_t input);
  template <models::LaneLevel level>
  void remember(std::size_t input);
  template <models::LaneLevel level>
  void add_residual();
  template <models::LaneLevel level>
  void end_diverged();

  void trace(std::size_t lane);
  void add_evaluations(std::size_t subsystem);
  void end_diverged(std::size_t lane);
  void end(std::size_t lane, TrialStatus status, const char* reason);
  void end_all(TrialStatus status, const char* reason);

  const models::LaneLevel level_ = models::lane_level();
  const Plan& plan_;
  const CouplingGraph& graph_;
  const Coupling& coupling_;
  const double macro_step_s_;
  const std::atomic<bool>* stop_;
  std::vector<double> bounds_;
  std::vector<Input> inputs_;
  std::vector<Actor> actors_;
  std::vector<std::unique_ptr<models::LaneSubsystem>> subsystems_;
  std::vector<models::LanePolynomial> applied_;  ///< by input
  Memory memory_;

  std::map<const TestInput*, Externals> externals_;
  std::map<const TestInput*, Beginning> beginnings_;

  // Of the trial in each lane.
  std::array<const TrialSettings*, models::lane_count> trials_{};
  std::array<const TestInput*, models::lane_count> tests_{};  ///< that the lane is bound to
  models::LaneIntegers trial_steps_{};
  std::array<models::LaneFlags, models::max_extrapolation_order + 1> remembers_{};  ///< by order
  std::size_t highest_order_ = 0;         ///< that some trial has remembered
  models::LaneIntegers first_counted_{};  ///< macro-step of E(H)
  std::array<TrialResult, models::lane_count> results_;

  Values start_s_{};                 ///< of the macro-step
  std::int64_t least_done_ = 0;      ///< macro-steps of any of them
  std::int64_t last_uncounted_ = 0;  ///< macro-step before E(H) of any of them
  bool has_last_ = false;            ///< one of them makes its last one
  bool has_ended_ = false;           ///< one of them, since run() began
  double cost_to_poll_ = 0;          ///< until the stop flag is read
  std::vector<double> traced_;       ///< outputs of one of them
};

}  // namespace macrostep::engine
