// The course of a search, from its curves to its answer: scan, ranking, verification, times, error.
// It is written from top to bottom, and asks for what has to run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/recommendation/recommendation.hpp"
#include "engine/search/stage.hpp"
#include "engine/stability/stability_verdicts.hpp"
#include "engine/verification/tasks.hpp"

namespace macrostep::engine {

struct SearchOptions {
  /// Whether macro-steps are timed once all curves are finished; with real time they always are.
  bool measure_step_times = false;
  /// Whether the error of the recommended configuration is measured once all curves are finished.
  bool measure_error = false;
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

/// Curves to scan to their end, or to go on with.
struct CurvesWanted {
  bool fills_gaps = false;
  std::optional<double> beside_s = {};  ///< with a trial at this H
  std::vector<std::size_t> curves;
};

/// Who holds the search answers. Once it is stopped, curves may be missing and results mean
/// nothing.
struct CourseNeeds {
  std::function<std::vector<Curve>(CurvesWanted)> curves;
  std::function<bool(std::size_t curve)> has_gaps;
  PerformTasks perform;
  std::function<void(Stage)> begin_stage;
  const std::atomic<bool>& stopped;
};

/// The ids of the curves of a plan.
std::vector<std::size_t> all_curves(const Plan& plan);

/// Without the cost of the search.
SearchResult run_course(const Plan& plan, const SearchOptions& options, StabilityVerdicts& verdicts,
                        const CourseNeeds& needs);

}  // namespace macrostep::engine
