// Trials that share the lanes of one processor (lane_batch.hpp): which of them is in a lane when.
//
// A trial that begins like another one waits until that has come to where they part, and goes on
// from there (shared_prefix.hpp). Of those that can go on, the ones furthest from their ends have
// the lanes, and others take turns with them, so that lanes do not stay empty at the end.
#pragma once

#include <optional>
#include <vector>

#include "engine/ensemble/shared_prefix.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

/// Results of trials that differ in extrapolation, test and duration alone, all with one
/// macro-step, of configurations that step in lanes. In their order; nothing where one of them
/// cannot start.
std::optional<std::vector<TrialResult>> run_in_lanes(const Plan& plan, const TrialList& trials);

}  // namespace macrostep::engine
