// Up to lane_count trials of one plan that step side by side, each in a lane (models/lanes.hpp):
// the macro-step of master.hpp, the residual of residual.hpp and the ends of trial.cpp, for the
// plain case, in which every subsystem steps once a macro-step with inputs continued from what was
// exchanged. What a lane gives has the bits of the trial that runs alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

class LaneBatch {
 public:
  /// Trials of configurations that step in lanes and differ in extrapolation and test alone; the
  /// same macro-step and duration. At most lane_count.
  LaneBatch(const Plan& plan, std::span<const TrialSettings* const> trials);

  /// At t = 0. False where some trial cannot start; nothing else is allowed then.
  bool start();
  /// Or from where a lane of another batch has got to, for each of this one's.
  struct Beginning {
    const LaneBatch* batch;
    std::size_t lane;
  };
  void go_on_from(std::span<const Beginning> beginnings);

  /// Advances until so many macro-steps are done, or all trials have ended; those that have done
  /// all of theirs end complete.
  void run(std::int64_t macro_steps);

  std::int64_t rhs_evaluations(std::size_t lane) const { return memory_.rhs_evaluations[lane]; }
  bool has_ended(std::size_t lane) const { return memory_.active[lane] == 0; }
  /// Of a trial that has ended, without its wall time.
  const TrialResult& result(std::size_t lane) const { return results_[lane]; }

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
  };
  struct Bond {
    double factor = 1;
    models::LaneFlags held{};  ///< all inputs of the bond are
    Values power_w{}, residual_j{};
  };
  /// All that goes on from one macro-step to the next, but for the subsystems.
  struct Memory {
    std::int64_t macro_steps = 0;
    models::LaneFlags active{};
    std::vector<Values> y, u;
    std::vector<History> histories;
    std::vector<Bond> bonds;
    Values power_w{}, residual_j{}, startup_residual_j{}, transmitted_j{};
    models::LaneIntegers rhs_evaluations{};
    Values cost{};
  };
  void set_up_inputs();
  void set_up_subsystems();
  bool start_lanes_of(const TestInput& test);
  double time_s(std::int64_t macro_steps) const {
    return static_cast<double>(macro_steps) * macro_step_s_;
  }
  void advance();
  void step(std::size_t subsystem);
  void exchange(std::size_t subsystem);
  void continue_input(std::size_t input);
  void remember(std::size_t input);
  void add_residual(double share);
  void trace();
  void end_diverged();
  void end_diverged(std::size_t lane);
  void end(std::size_t lane, TrialStatus status, const char* reason);
  bool is_stopped() const;

  const Plan& plan_;
  std::vector<const TrialSettings*> trials_;
  const CouplingGraph& graph_;
  double macro_step_s_, duration_s_;
  std::int64_t trial_steps_;
  std::vector<double> bounds_;
  std::vector<Input> inputs_;
  std::vector<Actor> actors_;
  std::vector<std::unique_ptr<models::LaneSubsystem>> subsystems_;
  std::array<models::LaneFlags, models::max_extrapolation_order + 1> remembers_{};  ///< by order
  models::LaneIntegers first_counted_{};         ///< macro-step of E(H), by lane
  std::int64_t all_counted_ = 0;                 ///< macro-step from which all do
  std::vector<models::LanePolynomial> applied_;  ///< by input
  Memory memory_;
  bool is_traced_ = false;      ///< one of the trials
  std::vector<double> traced_;  ///< outputs of one of them
  std::array<TrialResult, models::lane_count> results_;
};

}  // namespace macrostep::engine
