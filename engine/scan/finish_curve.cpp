#include "engine/scan/finish_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "engine/scan/curve_flags.hpp"
#include "engine/scan/usable_step.hpp"
#include "engine/stability/stability.hpp"

namespace macrostep::engine {

namespace {

/// T = 20·bend counts although T/bend rounds to slightly less than 20.
constexpr double ratio_tolerance = 1e-9;

/// To this share of itself the limit between two macro-steps of the scan is found.
constexpr double stability_limit_share = 1e-4;

/// ln of the growth of an exact solution beyond which it is nothing but rounding errors that grew.
const double largest_log_growth = -std::log(std::numeric_limits<double>::epsilon());

/// Sets the curve's limit of stability. Returns the largest H tried, up to `largest_s`, with none
/// unstable below it; the same H where there is no exact analysis. Nothing where the problem grows
/// by itself so far within the test that no run shows its solution.
std::optional<double> within_stability(const Plan& plan, Curve& curve, double largest_s,
                                       StabilityVerdicts& verdicts) {
  const auto configuration = curve.key.configuration;
  const double share = plan.job.tests[curve.key.test].duration_s / verdicts.duration_s();
  if (share * verdicts.exact_log_growth(configuration) > largest_log_growth) {
    return std::nullopt;
  }
  const auto is_unstable = [&](double macro_step_s) {
    return verdicts.is_unstable(configuration, macro_step_s);
  };
  const auto unstable = std::ranges::find_if(
      curve.points, [&](const CurvePoint& point) { return is_unstable(point.macro_step_s); });
  if (unstable == curve.points.end()) {
    return largest_s;
  }
  double unstable_s = unstable->macro_step_s;
  if (unstable == curve.points.begin()) {
    return std::nullopt;
  }
  const double last_stable_s = (unstable - 1)->macro_step_s;
  double stable_s = last_stable_s;
  while (unstable_s - stable_s > stability_limit_share * stable_s) {
    const double middle_s = (stable_s + unstable_s) / 2;
    (is_unstable(middle_s) ? unstable_s : stable_s) = middle_s;
  }
  curve.stability_limit_s = stable_s;
  return std::min(largest_s, last_stable_s);
}

}  // namespace

void count_macro_steps(const Plan& plan, Curve& curve) {
  std::erase(curve.flags, too_few_macro_steps);
  const double duration_s = plan.job.tests[curve.key.test].duration_s;
  curve.counts = duration_s / *curve.usable_s >= plan.job.minimum_macro_steps - ratio_tolerance;
  curve.needed_duration_s = curve.counts ? 0 : plan.job.minimum_macro_steps * *curve.usable_s;
  if (!curve.counts) {
    curve.flags.emplace_back(too_few_macro_steps);
  }
}

Curve finish_curve(const Plan& plan, std::size_t id, const CurveScan& scan,
                   StabilityVerdicts& verdicts) {
  Curve curve{.id = id, .key = plan.curves[id], .points = scan.points(), .region = scan.region()};
  const auto flag = [&](std::string_view text) { curve.flags.emplace_back(text); };
  if (!curve.points.empty() && curve.points.front().status == TrialStatus::unsupported) {
    flag(unsupported);
    curve.region.reason = std::get<FieldError>(plan.schedules[curve.key.configuration]).message;
    return curve;
  }
  if (plan.configurations[curve.key.configuration].scheme == Scheme::iterative) {
    // At the fixed point the inputs applied are the exchanged outputs: what is left of E is the
    // iteration's tolerance and says nothing about H.
    flag(residual_of_iteration);
    return curve;
  }
  if (!curve.points.empty() && without_energy(curve.points)) {
    flag(no_energy);
    return curve;
  }
  if (!curve.region.fit) {
    flag(no_linear_region);
    return curve;
  }
  if (curve.region.bend_found && !curve.region.cliff_s) {
    flag(cliff_not_reached);
  }
  curve.usable_s = within_residual_limit(curve.points, *curve.region.last_s,
                                         relative_residual_limit(plan.job.relative_residual_max));
  if (!curve.usable_s) {
    flag(relative_residual_exceeded);
    return curve;
  }
  if (*curve.usable_s < *curve.region.last_s) {
    flag(plan.job.relative_residual_max ? cut_at_relative_residual : cut_at_transmitted_energy);
  }
  const double within_residual_s = *curve.usable_s;
  if (plan.job.stability_check == StabilityCheck::all ||
      plan.job.stability_check == StabilityCheck::exact) {
    curve.usable_s = within_stability(plan, curve, within_residual_s, verdicts);
  }
  if (!curve.usable_s) {
    flag(unstable);
    return curve;
  }
  if (*curve.usable_s < within_residual_s) {
    flag(cut_at_stability_limit);
  }
  count_macro_steps(plan, curve);
  if (curve.counts && !curve.region.bend_found && *curve.usable_s == *curve.region.last_s) {
    flag(bend_not_reached);
  }
  curve.usable_s = largest_allowed(plan.job.allowed_macro_steps_s,
                                   curve.points.front().macro_step_s, *curve.usable_s);
  if (!curve.usable_s) {
    flag(no_allowed_macro_step);
    curve.counts = false;
  }
  return curve;
}

std::optional<double> cut_below_bend(const Plan& plan, const Curve& curve) {
  const auto within_s = usable_step({.points = curve.points,
                                     .last_s = curve.region.last_s,
                                     .stability_limit_s = curve.stability_limit_s,
                                     .relative_residual_max = plan.job.relative_residual_max});
  return within_s && *within_s < *curve.region.last_s ? within_s : std::nullopt;
}

}  // namespace macrostep::engine
