// The scans of several curves, asked and told: which trials come next, in whatever order their
// results come. What is asked of a curve depends on its own results alone. Beyond bend and cliff
// that is: points in the gap above a limit of residual or stability, which a scan on its own does
// not know, one at the limit of stability, and the filling of gaps.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/scan/curve.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/stability/stability_verdicts.hpp"

namespace macrostep::engine {

/// What a curve of the plan asks for next; `index` counts its trials.
struct WantedTrial {
  std::size_t curve = 0;
  std::size_t index = 0;
  double macro_step_s = 0;
};

/// Whether finished curves go on when they are told to alone, or also where a result comes that
/// lies in a gap of an adaptive scan (curve_scan.hpp) or beside the grid.
enum class GoesOn { when_told, with_results };

/// Functions that name a curve may be called from several threads at once, each for another curve.
class Scan {
 public:
  /// Scans these curves of the plan. Plan and verdicts must outlive it.
  Scan(const Plan& plan, std::span<const std::size_t> curves, StabilityVerdicts& verdicts,
       GoesOn goes_on = GoesOn::when_told);

  /// Nothing where the curve is finished.
  std::optional<WantedTrial> next(std::size_t curve) const;
  /// The next of every curve that is not finished, ascending.
  std::vector<WantedTrial> wanted() const;

  /// Takes the result of a trial. One that comes early waits for those before it; one that came
  /// before, or that the curve does not ask for, is dropped. Returns those that count now.
  std::vector<TrialRecord> add(TrialRecord record);

  /// Whether a finished curve has gaps that another answer may need filled.
  bool has_gaps(std::size_t curve) const { return walks_.at(curve).scan.has_gaps(); }
  /// Goes on with a finished curve that has gaps. Returns results that had come early.
  std::vector<TrialRecord> fill_gaps(std::size_t curve);
  /// Goes on with a finished curve to a point beside its grid, unless that has run; likewise.
  std::vector<TrialRecord> ask_beside_grid(std::size_t curve, double macro_step_s);
  /// As it is once it is finished.
  const Curve& curve(std::size_t curve) const { return walks_.at(curve).curve; }

 private:
  struct Walk {
    CurveScan scan;
    int asked = 0;                                  ///< macro-steps at the limit of stability
    Curve curve = {};                               ///< as it is once it is finished
    std::size_t index = 0;                          ///< of the next trial
    std::map<std::size_t, TrialRecord> early = {};  ///< by index
  };

  void fill(std::size_t curve, Walk& walk);
  void go_on_to(double macro_step_s, std::size_t curve, Walk& walk);
  void finish(std::size_t curve, Walk& walk);
  std::vector<TrialRecord> take_early(std::size_t curve, Walk& walk);

  const Plan& plan_;
  StabilityVerdicts& verdicts_;
  GoesOn goes_on_;
  std::map<std::size_t, Walk> walks_;  ///< by curve
};

}  // namespace macrostep::engine
