#include "engine/recommendation/failed_curves.hpp"

#include <algorithm>

#include "engine/scan/curve_flags.hpp"
#include "engine/trial/trial_end.hpp"

namespace macrostep::engine {

namespace {

bool never_begins(const Curve& curve) {
  return !curve.points.empty() && !has_flag(curve, unsupported) &&
         std::ranges::all_of(curve.points, [](const CurvePoint& point) {
           return point.status != TrialStatus::complete && point.macro_steps <= 1;
         });
}

}  // namespace

std::optional<FailedCurves> failed_curves(std::span<const Curve> curves) {
  std::optional<FailedCurves> found;
  for (const auto& curve : curves) {
    if (!never_begins(curve)) {
      continue;
    }
    if (!found) {
      found.emplace().reason = why_not_complete(curve.points.back());
    }
    ++found->count;
    found->none_diverged =
        found->none_diverged && std::ranges::none_of(curve.points, [](const CurvePoint& point) {
          return point.status == TrialStatus::diverged;
        });
  }
  if (found) {
    const auto able = std::ranges::count_if(
        curves, [](const Curve& curve) { return !has_flag(curve, unsupported); });
    found->all = found->count == static_cast<std::size_t>(able);
  }
  return found;
}

bool nothing_ran(std::span<const Curve> curves) {
  const auto found = failed_curves(curves);
  return found && found->all && found->none_diverged;
}

std::vector<std::string> failed_curves_warning(std::span<const Curve> curves) {
  const auto found = failed_curves(curves);
  if (!found) {
    return {};
  }
  return {"in " + std::to_string(found->count) + " of " + std::to_string(curves.size()) +
          " curves no trial gets past its first macro-step; in the first one, " + found->reason};
}

std::vector<std::string> divergence_warning(const Plan& plan, std::span<const Curve> curves) {
  const auto by_itself = [](const Curve& curve) { return curve.region.diverges_by_itself; };
  const auto first = std::ranges::find_if(curves, by_itself);
  if (first == curves.end()) {
    return {};
  }
  const auto smallest =
      std::ranges::find(first->points, TrialStatus::diverged, &CurvePoint::status);
  return {"in " + std::to_string(std::ranges::count_if(curves, by_itself)) + " of " +
          std::to_string(curves.size()) +
          " curves the trials were ended at the same time with every H tried; in the first one, " +
          why_not_complete(*smallest) +
          (plan.job.own_problem ? std::string("; ") + nominal_advice : "")};
}

}  // namespace macrostep::engine
