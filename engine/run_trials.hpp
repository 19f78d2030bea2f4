// Several trials of one plan at once, for less than one after the other.
//
//   side by side     trials that differ in extrapolation and test alone step in the lanes of one
//                    processor (lane_trials.hpp), where models and processor allow
//   from one start   tests that drive a configuration alike until their first events share what
//                    comes before (beginnings.hpp); not of trials that are traced
//
// Every trial has the result that run_trial() gives it, bit for bit, but for its wall time, which
// is its share of theirs, traces included. All trials are stopped by the flag of the first.
#pragma once

#include <span>
#include <vector>

#include "engine/trial.hpp"

namespace macrostep::engine {

/// Whether trials of this configuration in several tests may go on from one start: all of its
/// subsystems are ours and go back to a state of theirs bit for bit, and nothing is corrected.
bool goes_on_from_one_start(const Plan& plan, const Configuration& configuration);

/// In the order of the settings.
std::vector<TrialResult> run_trials(const Plan& plan, std::span<const TrialSettings> trials);

}  // namespace macrostep::engine
