// How fast this computer runs trials, measured by running some.
#pragma once

namespace macrostep::engine {

/// On one thread.
struct TrialSpeed {
  double seconds_per_cost = 0;        ///< of TrialResult::cost
  double seconds_per_macro_step = 0;  ///< of the master itself
};

/// Takes some 50 ms. With other work on the computer it is slower, as a search is.
TrialSpeed measure_trial_speed();

}  // namespace macrostep::engine
