// A curve of a search once it is scanned: its points, its linear region, and how far it may be
// used (finish_curve.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/scan/linear_region.hpp"

namespace macrostep::engine {

/// What the residual alone tells of a curve, before any verdict of stability and any check of a
/// run: the table and the paper's rule are drawn from this. The limits of the job on the residual
/// and on H hold.
struct MeasuredCurve {
  std::optional<double> usable_s;  ///< the last H of the linear region that the job allows
  bool counts = false;             ///< its test has enough macro-steps of that
  std::vector<std::string> flags;  ///< as those of the curve, without verdicts and checks
};

/// A finished curve. `usable_s` is the largest H inside the linear region that the job allows.
struct Curve {
  std::size_t id = 0;
  CurveKey key;
  std::vector<CurvePoint> points;
  LinearRegion region;
  MeasuredCurve measured;
  std::optional<double> usable_s;  ///< at most measured.usable_s, unless rates decide alone
  /// What ends `usable_s`, or leaves no such H: the last cut, a text of curve_flags.hpp. Empty
  /// where another rule than that of a search has cut it (study/curve_rules.hpp).
  std::string_view limited_by;
  /// Up to here all H are stable by the exact analysis of a linear problem (stability.hpp); absent:
  /// not known, or all that were tried are.
  std::optional<double> stability_limit_s;
  /// Where no H is: up to here undamped oscillations grow by no more than a tenth in a session.
  std::optional<double> session_limit_s;
  /// Runs with this H fail verification (run_checks.hpp): all smaller ones may be used.
  std::optional<double> rejected_from_s;
  bool counts = false;             ///< takes part in the recommendation
  double needed_duration_s = 0;    ///< with too_few_macro_steps: of a test in which it would count
  std::vector<std::string> flags;  ///< too_few_macro_steps, bend_not_reached, no_linear_region …

  /// The exact limit: of stability, or of that within a session; a curve has one at most.
  std::optional<double> exact_limit_s() const {
    return stability_limit_s ? stability_limit_s : session_limit_s;
  }
};

}  // namespace macrostep::engine
