// Runs a search on the threads of this process: its curves in parallel, the trials of curves that
// share work together. The result does not depend on the number of threads.
//
// Curves are scanned by groups that may share work (curve_groups.hpp), each by one round of trials
// after the other. A round is no more than soon ends, since results are kept once their round has
// ended.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/scan/scan.hpp"
#include "engine/search/progress_count.hpp"
#include "engine/search/search.hpp"

namespace macrostep::engine {

struct SearchSettings {
  int threads = 0;  ///< 0: all processors
  /// Called for every new result, one call at a time, from any thread.
  std::function<void(const TrialRecord&, const SearchProgress&)> on_result;
  /// Called by the thread of run_search before each stage that follows the curves.
  std::function<void(const SearchProgress&)> on_stage;
  const std::atomic<bool>* stop = nullptr;
  /// Results of an interrupted run; they are not run again.
  std::span<const TrialRecord> stored;
  SearchOptions options;
  /// Never null; it must be able to run the foreign code of the plan.
  const TrialBackend* backend = &this_process();
};

SearchResult run_search(const Plan& plan, const SearchSettings& settings);

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
