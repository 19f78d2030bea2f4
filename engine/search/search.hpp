// Runs a plan: every curve is scanned, in parallel over curves, and the answer is drawn from them.
// The result does not depend on the number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/recommendation/recommendation.hpp"
#include "engine/scan/curve_scan.hpp"

namespace macrostep::engine {

struct SearchProgress {
  std::size_t curves_done = 0;
  std::size_t curves_total = 0;
  std::size_t trials_done = 0;
  double cost_done = 0;      ///< Σ TrialResult::cost
  double cost_expected = 0;  ///< that, and what is left (remaining_cost.hpp)
  /// What is left, at the mean rate of this run so far; absent in its first moments. Without the
  /// comparison with a reference.
  std::optional<double> eta_s;
};

struct SearchSettings {
  int threads = 0;  ///< 0: all processors
  /// Called for every new result, one call at a time, from any thread.
  std::function<void(const TrialRecord&, const SearchProgress&)> on_result;
  /// Called by the thread of run_search before each thing that follows the curves: "runs the
  /// checks", "times macro-steps", "compares with the reference".
  std::function<void(std::string_view)> on_stage;
  const std::atomic<bool>* stop = nullptr;
  /// Results of an interrupted run, ordered by curve and index; they are not run again.
  std::span<const TrialRecord> stored;
  /// Whether macro-steps are timed once all curves are finished; with real time they always are.
  bool measure_step_times = false;
  /// Whether the error of the recommended configuration is measured once all curves are finished.
  bool measure_error = false;
  /// Never null; it must be able to run the foreign code of the plan.
  const TrialBackend* backend = &this_process();
};

struct SearchCost {
  std::size_t trials = 0;
  std::int64_t rhs_evaluations = 0;
  std::int64_t shared_evaluations = 0;  ///< of them, made by a trial that began alike
  double wall_s = 0;
};

struct SearchResult {
  Answer answer;
  bool complete = false;  ///< false: stopped; curves that did not finish are missing
  SearchCost cost;
};

SearchResult run_search(const Plan& plan, const SearchSettings& settings);

}  // namespace macrostep::engine
