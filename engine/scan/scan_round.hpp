// The next trials of curves that are scanned together (curve_groups.hpp): those that share the most
// work, and no more than soon end, since results are kept once their round has ended.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/scan/scan.hpp"

namespace macrostep::engine {

/// Indices of those to run at once, ascending, of one at least: of the H that most of them ask for,
/// so many as take about a second, 16 at least and 512 at most. The others wait, as some of these
/// may ask for their H next.
std::vector<std::size_t> choose_round(const Plan& plan, std::span<const WantedTrial> wanted);

/// What a curve wants next, and what takes its results.
using NextTrial = std::function<std::optional<WantedTrial>(std::size_t curve)>;
using TakeTrial = std::function<void(TrialRecord)>;

/// Scans curves whose trials may run together, by one trial after the other, until they want none
/// or the stop flag is set.
void scan_together(const Plan& plan, const RunsOnThreads& runs, std::span<const std::size_t> curves,
                   const NextTrial& next, const TakeTrial& take);

}  // namespace macrostep::engine
