// Which of several trials begin alike, and until when: tests drive a configuration alike until
// their first events, as step, ramp and impulse do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/problem/external_signals.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

using TrialList = std::vector<const TrialSettings*>;

/// Where a trial parts from the one that it is like until then.
struct SharedPrefix {
  std::size_t like = 0;          ///< an earlier one of the same configuration; itself: none
  std::int64_t macro_steps = 0;  ///< that it takes over; that one makes them itself
};

/// The shared beginnings of trials of one coupling with one macro-step; none where a trial is
/// traced, as a trace covers a whole trial.
std::vector<SharedPrefix> shared_prefixes(const TrialList& trials, SignalsOfTests& signals);

}  // namespace macrostep::engine
