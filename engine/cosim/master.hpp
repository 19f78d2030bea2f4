// The co-simulation master: the macro-step of every scheme, written once over the coupling graph
// and the schedule.
//
// Over a substep every subsystem steps on its own, with inputs continued from what its sources have
// exchanged. At the end it gives its outputs for the inputs as applied there, and the exchange
// starts anew. A correction adds offsets to the inputs of the next macro-step and may change the
// outputs before they are exchanged. t_n = t_0 + n·H with integer n. advance() does not allocate.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/correction/coupling_correction.hpp"
#include "engine/cosim/master_actors.hpp"
#include "engine/cosim/master_inputs.hpp"
#include "engine/cosim/master_memory.hpp"
#include "engine/job/extrapolation.hpp"
#include "engine/plan/schedule.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "models/subsystem/linearisation.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::engine {

class Master {
 public:
  /// Subsystems in the order of the graph, which must outlive the master; `externals` holds the
  /// signals of each.
  Master(const CouplingGraph& graph, Schedule schedule,
         std::vector<std::unique_ptr<models::Subsystem>> subsystems,
         std::vector<std::vector<models::ExternalSignal>> externals, CouplingCorrection correction,
         const MasterSettings& settings);

  /// Starts the subsystems and finds outputs at t = 0 that agree with the inputs made of them.
  /// The reason when there are none.
  std::optional<std::string> start();

  /// One macro-step.
  models::StepResult advance();

  /// Outputs at time_s() for inputs that are the exchanged outputs themselves, not their
  /// continuation: of bonds with computed efforts, and of energies.
  std::span<const double> outputs_for_exchanged_inputs();

  /// Sum over all subsystems for exchanged inputs [J]; nothing if one does not tell its energy.
  std::optional<double> energy_j();

  /// All that the next macro-steps depend on when the start-up is over, as one vector: the states
  /// of the subsystems, then what is remembered of every input. Its typical magnitudes, with those
  /// of the states given; nothing where the state of a subsystem is no vector of its own or the
  /// extrapolation chooses by its values.
  std::optional<std::vector<double>> memory_nominal(std::span<const double> nominal_states);
  void read_memory(std::span<double> vector);
  void write_memory(std::span<const double> vector);

  /// Goes on from macro-step n with these states, one subsystem's after the other's, and with these
  /// outputs in the past, as if all had been exchanged there. Only where memory_nominal() is known.
  void start_from(std::int64_t macro_step, std::span<const double> states, const PastOutputs& past);
  /// How many ticks of the past that takes.
  int past_ticks() const { return engine::past_ticks(inputs_, settings_.extrapolation); }

  /// What every subsystem saves.
  std::vector<models::SavedState> saved_subsystems() const;

  /// All that the way from here depends on but the external inputs, where nothing is corrected.
  struct Checkpoint {
    MasterState state;
    std::vector<models::InputPolynomial> windows;
    std::vector<models::SavedState> subsystems;
    double cost = 0;
  };
  Checkpoint checkpoint() const;
  /// Goes on from where another master of the same configuration has got to; after start().
  void resume(const Checkpoint& checkpoint);

  /// How what is exchanged is wrong, by output.
  struct Disturbance {
    double factor = 1;
    double at_zero = 0;  ///< instead of a value that is no larger than `zero`
    double zero = 0;
  };
  /// From the next macro-step on what is exchanged at its end is wrong by this, by output, which
  /// must outlive that; by nothing where there is none.
  void disturb(std::span<const Disturbance> by_output) { disturbing_ = by_output; }

  int ticks() const { return schedule_.ticks; }  ///< of a macro-step
  double time_s() const { return time_s(0); }
  std::int64_t macro_steps() const { return state_.macro_steps; }
  /// Outputs of all subsystems at time_s(), as exchanged.
  std::span<const double> outputs() const { return state_.y; }
  /// Inputs of all subsystems as applied at time_s(): the end values of the last polynomials.
  std::span<const double> inputs() const { return state_.u; }
  bool corrects() const { return corrects_; }
  /// The subsystems' own outputs, before any correction of them.
  std::span<const double> own_outputs() const { return corrects_ ? own_y_ : state_.y; }
  /// Inputs without the offsets of a correction.
  std::span<const double> extrapolated_inputs() const {
    return corrects_ ? extrapolated_ : state_.u;
  }
  /// What a correction adds to the inputs over the next macro-step; 0 without one.
  std::span<const double> offsets() const { return state_.offsets; }
  /// Outputs at time_s() for extrapolated_inputs(); only with a correction.
  std::span<const double> outputs_for_extrapolated_inputs();
  /// Σ right-hand-side evaluations × the weight of their model.
  double cost() const { return cost_; }

 private:
  MasterMemory memory();
  /// Outputs of all subsystems at time_s() for these inputs.
  void read_outputs(std::span<const double> u, std::span<double> y);
  double time_s(int tick) const;
  // `order` of the Lagrange polynomials: known when compiled, their loops unroll.
  template <int order>
  models::StepResult advance();
  // Those that step the subsystems take over their status and add their evaluations to `total`.
  template <int order>
  void run_actions(models::StepResult& total, bool repeated);
  template <int order>
  void step(const MasterActor& actor, int tick, bool repeated, models::StepResult& total);
  void exchange(const MasterActor& actor, int tick);
  template <int order>
  void iterate(models::StepResult& total);
  void save_subsystems();
  bool stands_still() const;
  template <int order>
  void continue_plain_inputs(const MasterActor& actor);
  void continue_input(std::size_t input, int tick, bool repeated);
  models::InputPolynomial window_polynomial(std::size_t input, bool repeated) const;
  void note_largest();
  void restart_correction();
  void refresh_model();
  void correct();
  template <int order>
  void remember_windows(int tick);
  void remember_input(std::size_t input);

  const CouplingGraph& graph_;
  Schedule schedule_;
  std::vector<std::unique_ptr<models::Subsystem>> subsystems_;
  std::vector<std::vector<models::ExternalSignal>> externals_;
  MasterSettings settings_;
  std::vector<MasterActor> actors_;  ///< by subsystem
  std::vector<MasterInput> inputs_;
  int older_values_ = 0;
  bool smooth_ = false;  ///< needs the ends of the polynomials

  MasterState state_;
  double cost_ = 0;
  std::vector<models::SavedState> saved_;         ///< by subsystem, at the last communication point
  std::vector<models::InputPolynomial> windows_;  ///< by input, over its window
  std::vector<models::InputPolynomial> applied_;  ///< by input, over its subsystem's substep
  std::vector<double> before_;                    ///< outputs of the last iterate
  std::span<const Disturbance> disturbing_;       ///< by output
  std::vector<double> exchanged_u_, exchanged_y_;

  CouplingCorrection correction_;
  bool corrects_ = false;
  bool needs_model_ = false;
  bool model_is_due_ = true;   ///< at the next macro-step, whatever its number
  bool model_changes_ = true;  ///< some subsystem is not linear
  std::vector<models::Linearisation> linearisations_;          ///< by subsystem
  std::vector<double> own_y_, extrapolated_, extrapolated_y_;  ///< empty if nothing is corrected
};

}  // namespace macrostep::engine
