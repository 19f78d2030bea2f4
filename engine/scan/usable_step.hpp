// How far a scanned curve may be used: to the largest H that was tried, or that the job allows,
// within its linear region, the limit of its residual and the limit of stability.
#pragma once

#include <optional>
#include <span>

#include "engine/scan/linear_region.hpp"

namespace macrostep::engine {

/// The limit of the relative residual: of the job, and never more than 1. Where the coupling adds
/// or removes more energy than it transmits, E(H) tells nothing.
double relative_residual_limit(const std::optional<double>& of_job);

/// The largest H whose relative residual, and that of all smaller H, is within the limit, up to the
/// last one of the linear region. Points in ascending H.
std::optional<double> within_residual_limit(std::span<const CurvePoint> points, double last_s,
                                            double limit);

/// The largest H with which a trial completed, as with all smaller ones. Points in ascending H.
std::optional<double> largest_complete(std::span<const CurvePoint> points);

/// An H of three decimal digits, which is no larger.
double rounded_down(double macro_step_s);

/// The largest of the allowed H between the smallest that was tried and the limit; the limit itself
/// where all H are allowed.
std::optional<double> largest_allowed(std::span<const double> allowed_s, double tried_s,
                                      double limit_s);

/// A curve as it was analysed, and what the job says of H.
struct AnalysedCurve {
  std::span<const CurvePoint> points;  ///< in ascending H
  std::optional<double> last_s;        ///< of the linear region
  std::optional<double> stability_limit_s;
  std::optional<double> rejected_from_s;          ///< runs with it fail verification
  std::optional<double> relative_residual_max;    ///< of the job
  std::span<const double> allowed_macro_steps_s;  ///< of the job
  bool by_rate = false;  ///< limited_by_rate: up to the largest H that completed, whatever E(H) is
};

/// The largest H that may be used, of a curve without a flag that forbids it.
std::optional<double> usable_step(const AnalysedCurve& curve);

}  // namespace macrostep::engine
