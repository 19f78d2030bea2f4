// Several trials of one plan at once, for less than one after the other.
//
//   side by side     trials that differ in extrapolation and test alone step in the lanes of one
//                    processor (lane_trials.hpp), where models and processor allow
//   from one start   tests that drive a configuration alike until their first events share what
//                    comes before (shared_prefix.hpp); not of trials that are traced
//
// Every trial has the result that run_trial() gives it, bit for bit, but for its wall time: that is
// its share of theirs, by the cost of what it did not take over from another one.
#pragma once

#include <span>
#include <vector>

#include "engine/trial/trial.hpp"

namespace macrostep::engine {

/// In the order of the settings, which have one stop flag and are not asked to go on from anywhere
/// or to leave anything (TrialSettings::from, leave).
std::vector<TrialResult> run_trials(const Plan& plan, std::span<const TrialSettings> trials);

}  // namespace macrostep::engine
