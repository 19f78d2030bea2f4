// Which configuration is preferred to which, and whose macro-steps are worth timing.
//
// The largest macro-step wins, but one that needs the allowance of a session comes after all that
// do not. Of equal macro-steps the cheapest wins; what costs up to a twentieth more is a tie, in
// which the larger cliff wins: it leaves more room. What is left then goes by cost, then by the
// lower extrapolation; a search that checks its answer prefers what changes less with a finer
// macro-step (search/course.cpp).
#pragma once

#include <cstddef>
#include <limits>
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
  Extrapolation extrapolation = Extrapolation::order_0;

  bool needs_session() const;
  /// The first macro-step that is not stable, over the curves that count; infinite where none was
  /// reached.
  double cliff_s() const;
};

/// All that nothing but the cost, within a twentieth, or the extrapolation tells from the best, the
/// one that is preferred first; empty without candidates.
std::vector<RankedConfiguration> best_of(std::span<const RankedConfiguration> candidates);

/// The first few candidates, the best first.
std::vector<RankedConfiguration> ranking(std::vector<RankedConfiguration> candidates,
                                         std::size_t count);

/// Those of the ranking, the best first, each at some of the H that may be recommended for it; and
/// the run of the paper's rule, if it is none of them.
std::vector<TimingCandidate> timing_candidates_of(const Job& job,
                                                  std::span<const RankedConfiguration> ranking,
                                                  const std::optional<RankedConfiguration>& paper);

/// Makes `rival`, which is recommended instead of the equal `best`, the first candidate; where it
/// is none yet, in the place of `best`.
void put_first(std::vector<TimingCandidate>& candidates, std::size_t best, std::size_t rival);

}  // namespace macrostep::engine
