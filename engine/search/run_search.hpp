// Runs a search on the threads of this process: its curves in parallel, the trials of curves that
// share work together. The result does not depend on the number of threads.
#pragma once

#include <atomic>
#include <functional>
#include <span>

#include "engine/ensemble/trial_backend.hpp"
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

}  // namespace macrostep::engine
