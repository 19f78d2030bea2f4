// Which outputs feed which inputs of a trial, and how the inputs are continued over a macro-step:
// what it takes to draw them between the points of its trace.
#pragma once

#include <string>

#include "server/traces/replayed_trial.hpp"

namespace macrostep::server {

/// [{"from", "to", "extrapolate", "order", "delay_macro_steps"}, …] of the coupling of the trial's
/// configuration, from the stored job: no FMU is opened. "null" where this build has no such
/// problem any more.
std::string connections_json(const StoredTrial& trial);

}  // namespace macrostep::server
