// The master of several trials: what master.hpp and residual.hpp are for one, each number of every
// trial in a lane of its own (models/lanes/lanes.hpp).
//
// For the plain case: every subsystem steps once a macro-step, with inputs continued from what was
// exchanged. All trials have one coupling, one set of integrators and one macro-step H; each stands
// at a macro-step of its own, t = macro_steps · H, under its own test and extrapolation. What a
// lane computes has the bits of the trial that runs alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/trial/trial.hpp"
#include "models/lanes/lane_subsystem.hpp"

namespace macrostep::engine {

struct LaneMaster {
  using Values = models::LaneValues;

  struct Input {
    std::size_t source = 0;  ///< the output that it follows
    bool extrapolate = true;
    /// Outputs that some trial continues it by; the factors are 0 in lanes that do not.
    std::optional<std::size_t> slope_source = {}, curvature_source = {};
    Values slope_factor{}, curvature_factor{};  ///< H and H²
    /// What it remembers of its source, as InputHistory.
    std::array<Values, models::max_extrapolation_order + 1> differences{};
    Values slope{}, curvature{};
  };
  struct Actor {
    std::unique_ptr<models::LaneSubsystem> subsystem;
    PortRange inputs, outputs;
    double rhs_weight = 1;
    bool steps_with_next = false;
    models::LaneFlags solved{};  ///< the macro-step, of active lanes
    models::LaneIntegers evaluations{};
  };
  struct Bond {
    double factor = 1;
    models::LaneFlags held{};  ///< all inputs of the bond are
    Values power_w{}, residual_j{};
  };

  /// For trials like this one, which may differ in extrapolation, test and duration.
  LaneMaster(const Plan& plan, const TrialSettings& like);

  /// What a trial's configuration and duration ask of a lane.
  void set_up(std::size_t lane, const TrialSettings& trial);
  /// External inputs by subsystem; none at all: they are 0.
  void bind(std::size_t lane, std::span<const std::vector<models::ExternalSignal>> externals);

  /// All that goes on in a lane from one macro-step to the next, as so many numbers.
  std::size_t size() const { return size_; }
  void load(std::size_t lane, std::span<const double> numbers);
  void save(std::size_t lane, std::span<double> numbers) const;

  double time_s(std::size_t lane) const {
    return static_cast<double>(macro_steps[lane]) * macro_step_s;
  }

  const CouplingGraph& graph;
  const double macro_step_s;
  std::vector<double> bounds;  ///< of the outputs
  std::vector<Input> inputs;
  std::vector<Actor> actors;
  std::vector<Bond> bonds;
  std::vector<models::LanePolynomial> applied;  ///< inputs over the macro-step

  // The trial in each lane.
  models::LaneFlags active{};  ///< goes on; the others compute numbers that nobody wants
  models::LaneIntegers macro_steps{}, rhs_evaluations{};
  models::LaneIntegers last_macro_step{};
  Values duration_s{};
  models::LaneIntegers first_counted{};  ///< macro-step of E(H)
  std::array<models::LaneFlags, models::max_extrapolation_order + 1> remembers{};  ///< by order
  std::vector<Values> y, u;  ///< outputs; inputs as applied at the end of the macro-step
  Values power_w{}, residual_j{}, startup_residual_j{}, transmitted_j{}, cost{};

  // All lanes together.
  std::size_t highest_order = 0;    ///< that some trial has remembered
  std::int64_t fewest_done = 0;     ///< macro-steps of the one that has made fewest
  std::int64_t last_uncounted = 0;  ///< macro-step before E(H) of any of them
  bool has_last = false;            ///< for one of them the present macro-step is its last one
  Values start_s{};                 ///< of the macro-step
  double cost_of_all = 0;           ///< since it was last set to 0

 private:
  template <class Master, class Use>
  static void for_each_number(Master& master, std::size_t lane, const Use& use);

  std::size_t size_ = 0;
};

// The parts of a macro-step, at a level of the processor (lane_master_lanes.hpp).

/// All subsystems from the start of the macro-step to its end; evaluations and cost are counted.
/// Returns whether a solver has failed in an active lane: which one is left with the actors.
template <models::LaneLevel>
bool step_subsystems(LaneMaster& master);
/// Outputs, histories and residual at the end of the macro-step, which is counted. Returns whether
/// outputs of an active lane have grown beyond their bounds.
template <models::LaneLevel>
bool exchange(LaneMaster& master);
/// The present outputs into the inputs' histories; at t = 0 nothing else has done so.
template <models::LaneLevel>
void remember(LaneMaster& master);

template <>
bool step_subsystems<models::LaneLevel::avx2>(LaneMaster& master);
template <>
bool step_subsystems<models::LaneLevel::avx512>(LaneMaster& master);
template <>
bool exchange<models::LaneLevel::avx2>(LaneMaster& master);
template <>
bool exchange<models::LaneLevel::avx512>(LaneMaster& master);
template <>
void remember<models::LaneLevel::avx2>(LaneMaster& master);
template <>
void remember<models::LaneLevel::avx512>(LaneMaster& master);

}  // namespace macrostep::engine
