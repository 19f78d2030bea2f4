// The scan of one curve with what is asked of it beyond bend and cliff: points in the gap above a
// limit of residual or stability, which a scan on its own does not know, one at the limit of
// stability, and the filling of gaps.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/scan/curve.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/stability/stability_verdicts.hpp"

namespace macrostep::engine {

class CurveWalk {
 public:
  /// The plan and its verdicts, which walks may share, must outlive it.
  CurveWalk(const Plan& plan, std::size_t curve, StabilityVerdicts& verdicts);

  /// The macro-step to run next; nothing when the curve is finished.
  std::optional<double> next() const { return scan_.next(); }
  /// Results come in the order next() asked for them.
  void add(const TrialResult& result);

  /// Whether a finished curve has gaps that another answer may need filled.
  bool has_gaps() const { return scan_.has_gaps(); }
  void fill_gaps();
  /// Goes on with a finished curve to a point beside its grid, unless that has run.
  void ask_beside_grid(double macro_step_s);

  /// As it is once it is finished.
  const Curve& curve() const { return curve_; }

 private:
  void finish();

  const Plan& plan_;
  StabilityVerdicts& verdicts_;
  std::size_t id_;
  CurveScan scan_;
  int asked_ = 0;
  Curve curve_;
};

}  // namespace macrostep::engine
