// Which recommendation keeps real time: 99.9 % of the macro-steps take at most share·H.
//
// A macro-step takes about t(H) = a + b·H: the exchange and the first micro-step of every
// subsystem, and the further micro-steps. The share t/H = a/H + b thus falls with H, so the largest
// usable H is the one that keeps real time most easily, and the H that keep it reach from there
// down to about a/(share − b). Real time hence seldom makes H smaller: it rules out configurations.
// A smaller H is taken only where it was measured to keep the limit and the largest was not, as
// with solvers that iterate more the longer they step.
#pragma once

#include <optional>
#include <span>

#include "engine/step_times.hpp"

namespace macrostep::engine {

/// How a recommended run keeps real time: measured, so different from run to run.
struct RealTimeMargin {
  double share = 0;    ///< of the job
  double limit_s = 0;  ///< share·H
  double p999_s = 0;

  bool is_kept() const { return p999_s <= limit_s; }
  /// How many times faster than it must be.
  double factor() const { return limit_s / p999_s; }
};

RealTimeMargin margin_of(const MeasuredStepTimes& measured, double share);

/// Of a run that was measured; null: it was not.
const MeasuredStepTimes* find_step_times(std::span<const MeasuredStepTimes> measured,
                                         std::size_t configuration, double macro_step_s);

/// Of the first eligible contender that keeps real time at one of its H, the largest such H; null:
/// none does. What was not measured does not keep it.
const MeasuredStepTimes* choose_real_time(std::span<const Contender> contenders,
                                          std::span<const MeasuredStepTimes> measured,
                                          double share);

/// The run of an eligible contender that takes the smallest share of H; null: none was measured.
const MeasuredStepTimes* nearest_to_real_time(std::span<const Contender> contenders,
                                              std::span<const MeasuredStepTimes> measured);

}  // namespace macrostep::engine
