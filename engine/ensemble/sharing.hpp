// Which trials may share work: step side by side (lane_trials.hpp), or go on from one start
// (shared_prefix.hpp).
#pragma once

#include "engine/trial/trial.hpp"

namespace macrostep::engine {

/// Whether trials of this configuration may step side by side, here: models and processor have
/// lanes, inputs are continued by polynomials from what is exchanged once a macro-step, undelayed
/// and uncorrected, and no bond compares computed efforts.
bool steps_in_lanes(const Plan& plan, const Configuration& configuration);

/// Whether trials of this configuration in several tests may go on from one start: all of its
/// subsystems are ours and go back to a state of theirs bit for bit, and nothing is corrected.
bool goes_on_from_one_start(const Plan& plan, const Configuration& configuration);

/// Whether a trial is asked for nothing that only one alone can tell: times and energies.
bool may_run_together(const TrialSettings& settings);

}  // namespace macrostep::engine
