// What a search will cost, before it runs: an upper bound that follows from the plan, and what is
// to be expected of it.
//
// The bound: every curve takes all its steps (step_counts.hpp), and an implicit micro-step or a
// macro-step of the iterative scheme ends at its iteration limit (work.hpp). Of CVODE and of FMUs
// the evaluations have no bound.
//
// The expectation: a curve ends a fixed share of its grid after its beginning, and implicit steps
// take their usual number of iterations (both measured on the default jobs of the built-in
// problems). The linear region is what the search is to find, so it may be several times too large
// or too small; while the search runs, remaining_cost.hpp does better.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/cost/trial_speed.hpp"
#include "engine/plan/plan.hpp"
#include "engine/trial/work.hpp"

namespace macrostep::engine {

struct CurveEstimate {
  Work expected;
  Work most;
  bool evaluations_bounded = true;
  double runs = 1;        ///< that each of its trials is (event_phases.hpp)
  bool in_lanes = false;  ///< its trials step side by side with others (sharing.hpp)
};

/// What is expected of a curve on one thread [s], where so many are scanned together.
double expected_seconds(const CurveEstimate& curve, const TrialSpeed& speed, double together);

/// By curve.
std::vector<CurveEstimate> estimate_curves(const Plan& plan);

/// The expected cost of every curve (TrialResult::cost, summed over its trials).
std::vector<double> expected_costs(const Plan& plan);

struct CostEstimate {
  Work expected;
  Work most;
  std::optional<double> rhs_evaluations_max;       ///< absent: no bound
  std::optional<double> rhs_evaluations_expected;  ///< absent of FMUs: those of their own solvers
  std::optional<double> seconds_expected;          ///< without the comparison with a reference
  std::optional<double> seconds_max;
  int threads = 1;
};

struct EstimateSettings {
  TrialSpeed speed;
  int threads = 0;             ///< 0: all processors
  double trial_timeout_s = 0;  ///< of FMUs, whose trials take at most as long
};

CostEstimate estimate_cost(const Plan& plan, const EstimateSettings& settings);

/// What is to be expected of a search, a map (map_job.hpp) or a tuning (tuning.hpp): what a limit
/// is held against (cost_limit.hpp).
struct ExpectedCost {
  Work work;
  std::optional<double> seconds;  ///< without solutions to compare with; absent of FMUs
};

ExpectedCost expected_cost(const CostEstimate& search);
/// The expected cost of trials that are divided among the threads.
ExpectedCost expected_cost(const Plan& plan, const Work& work, const EstimateSettings& settings);

}  // namespace macrostep::engine
