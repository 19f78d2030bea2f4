#include "engine/scan/finish_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/cosim/residual.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/scan/usable_step.hpp"
#include "engine/stability/stability.hpp"

namespace macrostep::engine {

namespace {

/// T = 20·bend counts although T/bend rounds to slightly less than 20.
constexpr double ratio_tolerance = 1e-9;

/// The H that is tried at the limit of stability is larger than any other by more than this share.
constexpr double worthwhile_gain = 0.01;
/// It is not tried so far below the start of the scan that its trials take for ever: as far as the
/// scan halves its grid.
constexpr double smallest_wanted_share = 1.0 / (1 << max_grid_halvings);
constexpr double most_wanted_macro_steps = 2e6;

/// ln of the growth of an exact solution beyond which it is nothing but rounding errors that grew.
const double largest_log_growth = -std::log(std::numeric_limits<double>::epsilon());

/// The largest H tried, up to `largest_s` and the margin below a limit of stability.
std::optional<double> largest_within(const Curve& curve, double largest_s, double limit_s) {
  const double margin_s = std::min(largest_s, limit_s / stability_margin);
  std::optional<double> found;
  for (const auto& point : curve.points) {
    if (point.macro_step_s <= margin_s) {
      found = point.macro_step_s;
    }
  }
  return found;
}

/// What may be recommended of a curve, and so must not lie in a band of instability, and what is
/// larger by the margin.
std::vector<double> asked_of_analysis(const Plan& plan, const Curve& curve) {
  std::vector<double> asked_s = plan.job.allowed_macro_steps_s;
  for (const auto& point : curve.points) {
    asked_s.push_back(point.macro_step_s);
  }
  const std::size_t own = asked_s.size();
  for (std::size_t i = 0; i < own; ++i) {
    asked_s.push_back(growth_margin * asked_s[i]);
  }
  return asked_s;
}

/// The largest H with which a trial of the curve has a macro-step that counts, and that the job
/// allows.
double largest_runnable(const Plan& plan, const Curve& curve) {
  const auto& configuration = plan.configurations[curve.key.configuration];
  const auto needed = first_counted_macro_step(configuration.extrapolation) + 1;
  return std::min(plan.job.macro_step.maximum_s,
                  plan.job.tests[curve.key.test].duration_s / static_cast<double>(needed));
}

/// The largest H up to `largest_s` that was tried and is stable with the margin, as all smaller
/// ones are.
struct WithinStability {
  bool known = false;  ///< whether there is an exact analysis
  std::optional<double> usable_s;
};

/// Sets the curve's limit of stability. Nothing is usable where the problem grows by itself so far
/// within the test that no run shows its solution.
WithinStability within_stability(const Plan& plan, Curve& curve, double largest_s,
                                 StabilityVerdicts& verdicts) {
  if (plan.job.stability_check != StabilityCheck::all &&
      plan.job.stability_check != StabilityCheck::exact) {
    return {.usable_s = largest_s};
  }
  const auto configuration = curve.key.configuration;
  const auto* modes = verdicts.modes(configuration);
  const double test_s = plan.job.tests[curve.key.test].duration_s;
  if (modes && modes->largest_rate_per_s() * test_s > largest_log_growth) {
    return {.known = true};
  }
  // A scan may end at a cliff well below the limit, up to which H may go by the rate alone.
  const double last_s = curve.points.back().macro_step_s;
  const double beyond_s =
      stability_margin *
      (wants_stability_alone(plan.job) ? std::max(last_s, largest_runnable(plan, curve)) : last_s);
  const double first_s = curve.points.front().macro_step_s;
  const auto asked_s = asked_of_analysis(plan, curve);
  auto range = verdicts.range(configuration, first_s, beyond_s, asked_s);
  if (!range && beyond_s > stability_margin * last_s) {
    range = verdicts.range(configuration, first_s, stability_margin * last_s, asked_s);
  }
  if (!range) {
    return {.usable_s = largest_s};
  }
  if (range->stable_s > 0) {
    if (range->stable_s <= beyond_s) {
      curve.stability_limit_s = range->stable_s;
    }
    return {.known = true, .usable_s = largest_within(curve, largest_s, range->stable_s)};
  }
  if (range->session_s == 0) {
    return {.known = true};
  }
  if (range->session_s <= beyond_s) {
    curve.session_limit_s = range->session_s;
    // As a later cut by checks: no H from here on may be used.
    curve.rejected_from_s = std::nextafter(range->session_s / stability_margin,
                                           std::numeric_limits<double>::infinity());
  }
  const auto usable_s = largest_within(curve, largest_s, range->session_s);
  if (usable_s) {
    curve.flags.emplace_back(stable_within_session);
  }
  return {.known = true, .usable_s = usable_s};
}

/// Sets a flag that says what limits the curve.
void limit(Curve& curve, std::string_view flag) {
  curve.flags.emplace_back(flag);
  curve.limited_by = flag;
}

/// Which limit of the exact analysis holds for the curve.
std::string_view limit_of_analysis(const Curve& curve) {
  return has_flag(curve, stable_within_session) ? stable_within_session : cut_at_stability_limit;
}

/// For a curve, or for what was measured of one, that has the points.
template <class Usable>
void allow_for_rig(const Plan& plan, const std::vector<CurvePoint>& points, Usable& curve) {
  curve.usable_s =
      largest_allowed(plan.job.allowed_macro_steps_s, points.front().macro_step_s, *curve.usable_s);
  if (!curve.usable_s) {
    curve.flags.emplace_back(no_allowed_macro_step);
    curve.counts = false;
  }
}

void limit_for_rig(const Plan& plan, Curve& curve) {
  const auto& allowed_s = plan.job.allowed_macro_steps_s;
  allow_for_rig(plan, curve.points, curve);
  if (!curve.usable_s) {
    curve.limited_by = no_allowed_macro_step;
  } else if (!allowed_s.empty() && *curve.usable_s == std::ranges::max(allowed_s)) {
    curve.limited_by = limited_by_allowed;
  }
}

bool has_enough_macro_steps(const Plan& plan, const Curve& curve, double macro_step_s) {
  const double duration_s = plan.job.tests[curve.key.test].duration_s;
  return duration_s / macro_step_s >= plan.job.minimum_macro_steps - ratio_tolerance;
}

/// The flag of a curve whose residual says nothing of H.
std::optional<std::string_view> why_no_use(const Plan& plan, const Curve& curve) {
  if (!curve.points.empty() && curve.points.front().status == TrialStatus::unsupported) {
    return unsupported;
  }
  if (plan.configurations[curve.key.configuration].scheme == Scheme::iterative) {
    // At the fixed point the inputs applied are the exchanged outputs: what is left of E is the
    // iteration's tolerance and says nothing about H.
    return residual_of_iteration;
  }
  if (!curve.points.empty() && without_energy(curve.points)) {
    return no_energy;
  }
  return curve.region.fit ? std::nullopt : std::optional(no_linear_region);
}

std::optional<double> within_residual(const Plan& plan, const Curve& curve) {
  return within_residual_limit(curve.points, *curve.region.last_s,
                               relative_residual_limit(plan.job.relative_residual_max));
}

std::string_view cut_by_residual(const Job& job) {
  return job.relative_residual_max ? cut_at_relative_residual : cut_at_transmitted_energy;
}

/// What the residual alone tells; within_residual() is known.
MeasuredCurve as_measured(const Plan& plan, const Curve& curve, std::optional<double> within_s) {
  MeasuredCurve measured{.usable_s = within_s, .flags = curve.flags};
  const auto flag = [&](std::string_view text) { measured.flags.emplace_back(text); };
  if (!within_s) {
    flag(relative_residual_exceeded);
    return measured;
  }
  if (*within_s < *curve.region.last_s) {
    flag(cut_by_residual(plan.job));
  }
  measured.counts = has_enough_macro_steps(plan, curve, *within_s);
  if (!measured.counts) {
    flag(too_few_macro_steps);
  } else if (!curve.region.bend_found && *within_s == *curve.region.last_s) {
    flag(bend_not_reached);
  }
  allow_for_rig(plan, curve.points, measured);
  return measured;
}

/// Whether the exact limit, with its margin, forbids the next larger H: one that was tried, or else
/// any that would be worth a trial.
bool forbids_next(const Curve& curve) {
  const auto limit_s = curve.exact_limit_s();
  const auto next =
      std::ranges::upper_bound(curve.points, *curve.usable_s, {}, &CurvePoint::macro_step_s);
  const double next_s =
      next != curve.points.end() ? next->macro_step_s : (1 + worthwhile_gain) * *curve.usable_s;
  return limit_s && next_s > *limit_s / stability_margin;
}

/// Where the rates decide alone how far a curve may be used; false where they are not known.
bool finish_by_rate(const Plan& plan, Curve& curve, StabilityVerdicts& verdicts) {
  const auto last_s = largest_complete(curve.points);
  if (!last_s || !wants_stability_alone(plan.job)) {
    return false;
  }
  const auto stable = within_stability(plan, curve, *last_s, verdicts);
  if (!stable.known) {
    return false;
  }
  curve.flags.emplace_back(limited_by_rate);
  curve.usable_s = stable.usable_s;
  if (!curve.usable_s) {
    limit(curve, unstable);
    return true;
  }
  curve.counts = true;
  if (*curve.usable_s < *last_s || forbids_next(curve)) {
    curve.limited_by = limit_of_analysis(curve);
  } else {
    curve.limited_by = *last_s < curve.points.back().macro_step_s ? limited_by_failed_trial
                                                                  : limited_by_largest_tried;
  }
  if (*curve.usable_s < *curve.region.last_s) {
    curve.flags.emplace_back(cut_at_stability_limit);
  }
  if (!curve.region.bend_found && *curve.usable_s == *curve.region.last_s) {
    curve.flags.emplace_back(bend_not_reached);
  }
  limit_for_rig(plan, curve);
  return true;
}

}  // namespace

void count_macro_steps(const Plan& plan, Curve& curve) {
  std::erase(curve.flags, too_few_macro_steps);
  if (has_flag(curve, limited_by_rate)) {
    curve.counts = true;
    return;
  }
  curve.counts = has_enough_macro_steps(plan, curve, *curve.usable_s);
  curve.needed_duration_s = curve.counts ? 0 : plan.job.minimum_macro_steps * *curve.usable_s;
  if (!curve.counts) {
    curve.flags.emplace_back(too_few_macro_steps);
  }
}

Curve finish_curve(const Plan& plan, std::size_t id, const CurveScan& scan,
                   StabilityVerdicts& verdicts) {
  Curve curve{.id = id, .key = plan.curves[id], .points = scan.points(), .region = scan.region()};
  if (const auto why = why_no_use(plan, curve)) {
    limit(curve, *why);
    curve.measured.flags = curve.flags;
    if (*why == unsupported) {
      const auto& refused = std::get<FieldError>(plan.schedules[curve.key.configuration]);
      curve.region.reasons = {
          {.code = NoticeCode::configuration_unsupported, .detail = refused.message}};
    }
    return curve;
  }
  if (curve.region.bend_found && !curve.region.cliff_s) {
    curve.flags.emplace_back(cliff_not_reached);
  }
  const auto within_s = within_residual(plan, curve);
  curve.measured = as_measured(plan, curve, within_s);
  if (finish_by_rate(plan, curve, verdicts)) {
    return curve;
  }
  if (!within_s) {
    curve.flags = curve.measured.flags;
    curve.limited_by = relative_residual_exceeded;
    return curve;
  }
  curve.limited_by = curve.region.bend_found ? limited_by_bend : limited_by_largest_tried;
  if (*within_s < *curve.region.last_s) {
    limit(curve, cut_by_residual(plan.job));
  }
  curve.usable_s = within_stability(plan, curve, *within_s, verdicts).usable_s;
  if (!curve.usable_s) {
    limit(curve, unstable);
    return curve;
  }
  if (*curve.usable_s < *within_s) {
    curve.flags.emplace_back(cut_at_stability_limit);
    curve.limited_by = limit_of_analysis(curve);
  }
  count_macro_steps(plan, curve);
  if (curve.counts && !curve.region.bend_found && *curve.usable_s == *curve.region.last_s) {
    curve.flags.emplace_back(bend_not_reached);
  }
  limit_for_rig(plan, curve);
  return curve;
}

bool wants_stability_alone(const Job& job) {
  return !job.accuracy && !job.relative_residual_max;
}

void allow_by_rate(const Plan& plan, Curve& curve, double macro_step_s,
                   std::optional<double> rejected_s, std::string_view larger) {
  constexpr std::array former{
      too_few_macro_steps, bend_not_reached,      no_allowed_macro_step, relative_residual_exceeded,
      cut_at_checks,       cut_at_unknown_growth, cut_at_session_growth, cut_at_transmitted_energy};
  for (const auto flag : former) {
    std::erase(curve.flags, flag);
  }
  curve.flags.emplace_back(limited_by_rate);
  curve.usable_s = macro_step_s;
  curve.counts = true;
  curve.needed_duration_s = 0;
  curve.rejected_from_s = rejected_s;
  if (rejected_s) {
    limit(curve, larger);
    return;
  }
  const auto next =
      std::ranges::upper_bound(curve.points, macro_step_s, {}, &CurvePoint::macro_step_s);
  curve.limited_by = next != curve.points.end() && next->status != TrialStatus::complete
                         ? limited_by_failed_trial
                         : limited_by_largest_tried;
  limit_for_rig(plan, curve);
}

void cut_to_limits(const Plan& plan, Curve& curve, std::string_view larger, std::string_view all) {
  curve.usable_s = usable_step({.points = curve.points,
                                .last_s = curve.region.last_s,
                                .stability_limit_s = curve.exact_limit_s(),
                                .rejected_from_s = curve.rejected_from_s,
                                .relative_residual_max = plan.job.relative_residual_max,
                                .allowed_macro_steps_s = plan.job.allowed_macro_steps_s,
                                .by_rate = has_flag(curve, limited_by_rate)});
  limit(curve, curve.usable_s ? larger : all);
  if (curve.usable_s) {
    count_macro_steps(plan, curve);
  } else {
    curve.counts = false;
  }
}

void share_stability_limits(const Plan& plan, std::vector<Curve>& curves) {
  std::vector<std::optional<double>> limits_s(plan.configurations.size());
  for (const auto& curve : curves) {
    if (const auto own_s = curve.exact_limit_s()) {
      auto& limit_s = limits_s[curve.key.configuration];
      limit_s = std::min(limit_s.value_or(*own_s), *own_s);
    }
  }
  for (auto& curve : curves) {
    const auto& limit_s = limits_s[curve.key.configuration];
    if (!limit_s || !curve.usable_s || *curve.usable_s <= *limit_s / stability_margin) {
      continue;
    }
    (has_flag(curve, stable_within_session) ? curve.session_limit_s : curve.stability_limit_s) =
        limit_s;
    cut_to_limits(plan, curve, cut_at_stability_limit, unstable);
  }
}

std::optional<double> wanted_at_limit(const Plan& plan, const Curve& curve) {
  const auto limit_s = curve.exact_limit_s();
  const bool by_rate = has_flag(curve, limited_by_rate);
  const bool ends_itself = curve.points.back().status != TrialStatus::complete;
  if (!curve.region.last_s || (!limit_s && (!by_rate || ends_itself))) {
    return std::nullopt;
  }
  // A scan ends at a cliff. Where the rates decide, H may go on to the end of the job's range.
  const double largest_s = by_rate ? largest_runnable(plan, curve) : *curve.region.last_s;
  const double within_s = limit_s ? *limit_s / stability_margin : largest_s;
  if (!by_rate && within_s >= largest_s) {
    return std::nullopt;
  }
  const auto& allowed_s = plan.job.allowed_macro_steps_s;
  const auto allowed =
      largest_allowed(allowed_s, curve.points.front().macro_step_s, std::min(within_s, largest_s));
  if (!allowed) {
    return std::nullopt;
  }
  const double wanted_s = !allowed_s.empty() || *allowed == plan.job.macro_step.maximum_s
                              ? *allowed
                              : rounded_down(*allowed);
  const auto above =
      std::ranges::upper_bound(curve.points, wanted_s, {}, &CurvePoint::macro_step_s);
  const double below_s = above == curve.points.begin() ? 0 : (above - 1)->macro_step_s;
  const double test_s = plan.job.tests[curve.key.test].duration_s;
  const bool gains = wanted_s > (1 + worthwhile_gain) * below_s;
  const bool can_run = wanted_s >= smallest_wanted_share * plan.job.macro_step.initial_s &&
                       wanted_s >= test_s / most_wanted_macro_steps;
  return gains && can_run ? std::optional(wanted_s) : std::nullopt;
}

std::optional<double> cut_below_bend(const Plan& plan, const Curve& curve) {
  const auto within_s = usable_step({.points = curve.points,
                                     .last_s = curve.region.last_s,
                                     .stability_limit_s = curve.stability_limit_s,
                                     .relative_residual_max = plan.job.relative_residual_max,
                                     .by_rate = has_flag(curve, limited_by_rate)});
  return within_s && *within_s < *curve.region.last_s ? within_s : std::nullopt;
}

std::optional<double> measured_cut_below_bend(const Plan& plan, const Curve& curve) {
  const auto within_s =
      curve.region.last_s && curve.region.fit ? within_residual(plan, curve) : std::nullopt;
  return within_s && *within_s < *curve.region.last_s ? within_s : std::nullopt;
}

}  // namespace macrostep::engine
