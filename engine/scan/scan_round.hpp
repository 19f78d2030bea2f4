// The scan of many curves on threads: by groups that may share work (curve_groups.hpp), each by one
// round of trials after the other. A round is no more than soon ends, since results are kept once
// their round has ended.
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

/// Scans these curves of the plan, ascending, until they want no trial or the stop flag is set.
/// `expected_costs` are those of all curves of the plan (expected_costs() in cost_estimate.hpp).
/// `next` and `take` are called from several threads at once, but never for the same curve.
void scan_curves(const Plan& plan, const RunsOnThreads& runs, std::span<const std::size_t> curves,
                 std::span<const double> expected_costs, const NextTrial& next,
                 const TakeTrial& take);

}  // namespace macrostep::engine
