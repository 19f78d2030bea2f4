// A configuration analysed at several macro-steps (analysis_point.hpp): how its stability and its
// errors depend on H.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/stability/analysis_point.hpp"

namespace macrostep::engine {

/// One point for every macro-step, in their order: `of` with each in place of its own. Points after
/// the stop flag was set say so.
std::vector<AnalysisPoint> analyse(const Plan& plan, const AnalysePoint& of,
                                   std::span<const double> macro_steps_s,
                                   const RunsOnThreads& runs = {this_process()});

/// Whether all of them are stable (growth.hpp): then the grid ends before stability does.
bool is_stable_at_all(std::span<const AnalysisPoint> points);

/// The largest macro-step that is stable, as is every smaller one; points grow in H.
std::optional<double> largest_stable_s(std::span<const AnalysisPoint> points);

/// NRMSE up to which signals cannot be told apart by eye (Haid et al. 2022, section 4.2).
inline constexpr double accurate_error = 0.01;

/// The largest macro-step with a global error of at most this there and at every smaller one.
std::optional<double> largest_accurate_s(std::span<const AnalysisPoint> points);

/// Slope of an error over H in log-log axes, a straight line through the five smallest macro-steps
/// that have one; at least two.
std::optional<double> convergence_order(std::span<const AnalysisPoint> points,
                                        std::optional<double> AnalysisPoint::*error);

}  // namespace macrostep::engine
