// Whose macro-steps are worth timing, and at which H, once the curves of a search are finished: the
// first few of those that may be recommended, and what the paper's rule recommends.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/cost/step_times.hpp"
#include "engine/scan/curve.hpp"

namespace macrostep::engine {

/// A configuration that may be recommended: its curves that count, and what they say together.
struct RankedConfiguration {
  std::size_t configuration = 0;
  std::vector<const Curve*> counting;
  double macro_step_s = 0;
  double cost = 0;  ///< of the trials at macro_step_s
};

/// Those of the ranking, the best first, each at some of the H that may be recommended for it; and
/// the run of the paper's rule, if it is none of them.
std::vector<TimingCandidate> timing_candidates_of(const Job& job,
                                                  std::span<const RankedConfiguration> ranking,
                                                  const std::optional<RankedConfiguration>& paper);

}  // namespace macrostep::engine
