// Which of several trials begin alike, and until when: tests drive a configuration alike until
// their first events, as step, ramp and impulse do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/trial.hpp"

namespace macrostep::engine {

using Trials = std::vector<const TrialSettings*>;

/// A part of trials, from where the phase before ends, or from the start.
struct Phase {
  std::int64_t end = 0;  ///< in macro-steps
  /// By trial: the first one of the same configuration that is the same until the end of the phase.
  std::vector<std::size_t> alike;
};

/// Of trials of one coupling with one macro-step and duration. The last phase ends with the trials,
/// and each is by itself in it.
std::vector<Phase> phases_of(const Plan& plan, const Trials& trials);

}  // namespace macrostep::engine
