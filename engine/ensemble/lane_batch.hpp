// Trials that step side by side, each in a lane of one master (lane_master.hpp): a trial is put
// into a lane, goes on there, and is taken out again, or ends as in trial.cpp.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/ensemble/lane_master.hpp"
#include "engine/problem/external_signals.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

/// Where a trial stands between two macro-steps, outside of any lane.
struct LaneCheckpoint {
  std::int64_t macro_steps = 0, rhs_evaluations = 0;
  std::vector<double> numbers;  ///< all else (LaneMaster::save)
};

/// Protocol:
///
///   1. start() every trial that begins by itself
///   2. put() trials into free lanes
///   3. run()
///   4. take_result() of each that has_ended(), copy() or take() what others shall go on from
///   5. again from 2
///
/// Settings must live until their trial is taken. Macro-steps allocate nothing.
class LaneBatch {
 public:
  /// For trials of configurations that step in lanes (sharing.hpp) and differ from this one's in
  /// extrapolation, test and duration alone; the same macro-step and stop flag. `signals` must
  /// outlive it.
  LaneBatch(const Plan& plan, const TrialSettings& like, SignalsOfTests& signals);

  /// Whether the trial can start.
  bool can_start(const TrialSettings& trial) { return initial_values(trial) != nullptr; }
  /// A trial that can, at t = 0; before any is in a lane.
  void start(const TrialSettings& trial, LaneCheckpoint& into);
  /// A trial that has not ended goes on from a checkpoint, in a free lane.
  void put(std::size_t lane, const TrialSettings& trial, const LaneCheckpoint& from);
  void copy(std::size_t lane, LaneCheckpoint& into) const;
  /// Copies the trial of a lane into a checkpoint and frees the lane.
  void take(std::size_t lane, LaneCheckpoint& into);

  /// Advances the trials in lanes by so many macro-steps, or until one of them has ended.
  void run(std::int64_t macro_steps);

  std::int64_t macro_steps(std::size_t lane) const { return master_.macro_steps[lane]; }
  bool has_ended(std::size_t lane) const { return results_[lane].has_value(); }
  /// The result of a trial that has ended, without its wall time; the lane is free then.
  TrialResult take_result(std::size_t lane);

 private:
  /// What all trials of a test have in common at t = 0.
  struct InitialValues {
    std::vector<double> y, u;
    std::vector<models::SavedState> saved;  ///< empty where they cannot start
  };
  const InitialValues* initial_values(const TrialSettings& trial);
  void bind(std::size_t lane, const TestInput* test);
  void begin_run();
  void macro_step();
  void end_failed();
  void trace(std::size_t lane);
  void end_diverged();
  void end(std::size_t lane, TrialStatus status, const char* reason);

  const Plan& plan_;
  LaneMaster master_;
  const Coupling& coupling_;
  SignalsOfTests& signals_;
  const models::LaneLevel level_ = models::lane_level();
  const std::atomic<bool>* stop_;
  std::map<const TestInput*, InitialValues> initial_values_;

  // By lane.
  std::array<const TrialSettings*, models::lane_count> trials_{};  ///< none: it is free
  std::array<const TestInput*, models::lane_count> tests_{};       ///< that drives it
  std::array<std::optional<TrialResult>, models::lane_count> results_;

  std::int64_t to_last_ = 0;    ///< macro-steps of this run until one of them has made all
  bool has_ended_ = false;      ///< one of them, in this run
  bool is_traced_ = false;      ///< one of them
  std::vector<double> copied_;  ///< numbers of an occupied lane
  std::vector<double> traced_;  ///< outputs of one of them
};

}  // namespace macrostep::engine
