// How fast this computer runs trials, measured by running some.
#pragma once

namespace macrostep::engine {

/// On one thread.
struct TrialSpeed {
  double seconds_per_cost = 0;        ///< of TrialResult::cost
  double seconds_per_macro_step = 0;  ///< of the master itself
  /// How many times faster trials are that step side by side (sharing.hpp), in all lanes.
  double gain_in_lanes = 1;
};

/// Takes some 50 ms. With other work on the computer it is slower, as a search is.
TrialSpeed measure_trial_speed();

}  // namespace macrostep::engine
