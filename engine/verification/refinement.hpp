// How far a run changes when its macro-step becomes a quarter, or less: what is left of its error
// can be seen without any reference, from runs alone.
//
// With an error of order H^p the change is 1 − 4^−p of the error with a quarter, at least three
// quarters of it; a run that is unstable changes by more than it moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/plan/plan.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

struct Refinement {
  /// NRMSE of the exchanged outputs (reference_errors.hpp) against those of the finer run; absent
  /// where a run did not complete.
  std::optional<double> change;
  /// How far an exchanged output swings (root mean square about its mean) over how far it does in
  /// the finer run, the largest over the outputs; absent likewise.
  std::optional<double> swing;
  /// Exchanged outputs that move in neither run, or are tied in it (probe_runs.hpp), in the order
  /// of the graph.
  std::vector<std::size_t> still;
  bool completes = false;  ///< the run itself, not the finer one
  std::string test;
  std::string reason;  ///< why there is none
  double cost = 0;     ///< of the runs
};

// Trials that are given together are of one configuration and one macro-step. At least one.

/// What the runs of one trial at several phases say together (event_phases.hpp): the largest change
/// and the largest swing, none where one of them has none. At least one.
Refinement worst_of(std::vector<Refinement> refinements);

/// The results of trials, nothing compared.
std::vector<TrialResult> run_alone(const Plan& plan, std::span<const TrialSpec> trials,
                                   const RunsOnThreads& runs);

/// Each of the trials against the one with H / finer.
std::vector<Refinement> refine(const Plan& plan, std::span<const TrialSpec> trials,
                               std::int64_t finer, const RunsOnThreads& runs);

}  // namespace macrostep::engine
