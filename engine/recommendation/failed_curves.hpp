// Curves whose trials cannot even begin, or diverge whatever H. They tell nothing about H;
// something is wrong with the subsystems or with the job.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/scan/curve.hpp"

namespace macrostep::engine {

struct FailedCurves {
  std::size_t count = 0;
  bool all = false;  ///< no curve that can run at all gets further
  /// No trial of theirs diverged: subsystems or solvers failed.
  bool none_diverged = true;
  /// Why the first one ends, at its largest H: "at H = 1 ms the trial failed in an FMU: …".
  std::string reason;
};

/// Curves none of whose trials gets past its first macro-step; nothing where there is none.
std::optional<FailedCurves> failed_curves(std::span<const Curve> curves);

/// Whether no curve that can run at all gets past the first macro-step, and none diverged: then the
/// search itself has failed.
bool nothing_ran(std::span<const Curve> curves);

/// How the trials ended in curves that have no linear region, a notice per kind of end. Without
/// curves of divergence_warning(); empty where there is none.
std::vector<Notice> why_no_linear_region(std::span<const Curve> curves);

/// For an answer that rests on other curves; empty where there is nothing to warn of.
std::vector<Notice> failed_curves_warning(std::span<const Curve> curves);

/// Tests whose curves end where an FMU failed or an output became NaN or infinite, a notice per
/// kind of end. Curves that other warnings tell of do not count, nor those that end in another way
/// first. Empty where there is none.
std::vector<Notice> ends_in_failure_warning(const Plan& plan, std::span<const Curve> curves);

/// Warns of curves whose trials diverge at the same time with every H, and not at once: the limit
/// on an output may be too small rather than H too large. Empty where there is none.
std::vector<Notice> divergence_warning(const Plan& plan, std::span<const Curve> curves);

}  // namespace macrostep::engine
