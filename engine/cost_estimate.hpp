// What a search will cost, before it runs: an upper bound that follows from the plan, and what is
// to be expected of it.
//
// The bound: a curve walks up its grid to the largest H, at worst on the finest one
// (curve_scan.hpp; every coarser grid is left at its fourth point). A trial of T at H has at most
// T/H + 1 macro-steps, and a subsystem at most H/h + N micro-steps in one with N substeps and the
// largest micro-step h; an implicit micro-step ends at its iteration limit, a macro-step of the
// iterative scheme at its own. Of CVODE, which chooses its steps, and of FMUs, whose code nobody
// sees, the evaluations have no bound.
//
// The expectation: a curve ends a fixed share of its grid after its beginning, and implicit steps
// take their usual number of iterations (both measured on the default jobs of the built-in
// problems). The linear region is what the search is to find, so it may be several times too large
// or too small; while the search runs, remaining_cost.hpp does better.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/plan.hpp"
#include "engine/trial_speed.hpp"

namespace macrostep::engine {

/// Trials, and what happens in them.
struct Work {
  double trials = 0;
  double macro_steps = 0;
  double rhs_evaluations = 0;
  double cost = 0;  ///< Σ evaluations × the model's weight, as TrialResult::cost; no corrections'

  Work& operator+=(const Work& other);
};

struct CurveEstimate {
  Work expected;
  Work most;
  bool evaluations_bounded = true;
};

/// By curve.
std::vector<CurveEstimate> estimate_curves(const Plan& plan);

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

}  // namespace macrostep::engine
