// Completes a scanned curve: how much of its linear region may be used, given the limits of the
// residual, of stability and of the job.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/scan/curve.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/stability/stability_verdicts.hpp"

namespace macrostep::engine {

/// Finished form of a curve.
Curve finish_curve(const Plan& plan, std::size_t id, const CurveScan& scan,
                   StabilityVerdicts& verdicts);

/// Whether a curve with a usable H counts, or its test has too few macro-steps of that for it.
void count_macro_steps(const Plan& plan, Curve& curve);

/// Whether the largest stable H is asked for, however accurate.
bool wants_stability_alone(const Job& job);

/// Uses the curve up to an H with which runs do not grow, wherever it bends and however few
/// macro-steps its test has. `rejected_s`: the smallest H with which they may, if any was found,
/// flagged with `larger`.
void allow_by_rate(const Plan& plan, Curve& curve, double macro_step_s,
                   std::optional<double> rejected_s, std::string_view larger);

/// Uses the curve as far as its limits allow, which have become smaller; flagged with `larger`, or
/// with `all` where no H is left.
void cut_to_limits(const Plan& plan, Curve& curve, std::string_view larger, std::string_view all);

/// Curves of a configuration have one limit of stability: the smallest that any of them has found,
/// as each was looked at with macro-steps of its own.
void share_stability_limits(const Plan& plan, std::vector<Curve>& curves);

/// The largest H that the curve may be used with as far as is known, to be tried as well, as points
/// of the scan may lie far below it: with its margin below the limit of stability or, where the
/// rates decide and find none, the end of the job's range. Nothing where it has run, or gains too
/// little.
std::optional<double> wanted_at_limit(const Plan& plan, const Curve& curve);

/// The largest H of a curve that neither its linear region, nor its residual, nor its stability
/// forbids, if one of the last two ends it below the bend: what lies in the gap above is not known.
std::optional<double> cut_below_bend(const Plan& plan, const Curve& curve);

/// Likewise by the linear region and the residual alone, as MeasuredCurve has it.
std::optional<double> measured_cut_below_bend(const Plan& plan, const Curve& curve);

}  // namespace macrostep::engine
