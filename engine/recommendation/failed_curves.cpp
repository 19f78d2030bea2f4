#include "engine/recommendation/failed_curves.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

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

/// How the trial with the smallest H ended, for a curve without a linear region.
NoticeCode how_it_ended(const Curve& curve) {
  switch (curve.points.front().status) {
    case TrialStatus::complete:
      return has_flag(curve, no_energy) ? NoticeCode::no_region_without_energy
                                        : NoticeCode::no_region_on_no_line;
    case TrialStatus::diverged:
      return NoticeCode::no_region_diverged;
    case TrialStatus::timed_out:
      return NoticeCode::no_region_timed_out;
    case TrialStatus::unsupported:
      return NoticeCode::no_region_unsupported;
    case TrialStatus::solver_failed:
    case TrialStatus::fmu_error:
    case TrialStatus::crashed:
    case TrialStatus::cancelled:
      break;
  }
  return NoticeCode::no_region_failed;
}

/// Why a curve ends at a trial that failed; nothing where it is no failure of a subsystem, or the
/// curve ends in another way first.
std::optional<NoticeCode> failure_at_end(const Curve& curve, const CurvePoint& point) {
  if (curve.region.fit && curve.region.reasons != std::vector{incomplete_trial(point)}) {
    return std::nullopt;
  }
  switch (point.status) {
    case TrialStatus::crashed:
      return NoticeCode::curves_end_in_crash;
    case TrialStatus::timed_out:
      return NoticeCode::curves_end_in_timeout;
    case TrialStatus::fmu_error:
      return NoticeCode::curves_end_in_fmu_error;
    case TrialStatus::diverged:
      // An unstable coupling may come to that, too, and ends a curve in the usual way.
      return !curve.region.fit && is_not_finite(point.reason)
                 ? std::optional(NoticeCode::curves_end_not_finite)
                 : std::nullopt;
    case TrialStatus::complete:
    case TrialStatus::solver_failed:
    case TrialStatus::cancelled:
    case TrialStatus::unsupported:
      break;
  }
  return std::nullopt;
}

struct Failure {
  NoticeCode code;
  std::string first;               ///< the reason of the first trial
  std::vector<std::size_t> tests;  ///< each once
  std::size_t count = 0;           ///< of curves
};

std::vector<Failure> failures_at_end(std::span<const Curve> curves) {
  std::vector<Failure> found;
  for (const auto& curve : curves) {
    const auto end = std::ranges::find_if(curve.points, [](const CurvePoint& point) {
      return point.status != TrialStatus::complete;
    });
    if (end == curve.points.end() || never_begins(curve) || curve.region.diverges_by_itself) {
      continue;
    }
    const auto code = failure_at_end(curve, *end);
    if (!code) {
      continue;
    }
    auto known = std::ranges::find(found, *code, &Failure::code);
    if (known == found.end()) {
      known = found.insert(known, {.code = *code, .first = end->reason, .tests = {}});
    }
    ++known->count;
    if (std::ranges::find(known->tests, curve.key.test) == known->tests.end()) {
      known->tests.push_back(curve.key.test);
    }
  }
  return found;
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

std::vector<Notice> why_no_linear_region(std::span<const Curve> curves) {
  std::vector<Notice> found;  // in the order of the curves
  for (const auto& curve : curves) {
    if (curve.region.fit || curve.region.diverges_by_itself || curve.points.empty()) {
      continue;
    }
    const auto code = how_it_ended(curve);
    auto known = std::ranges::find(found, code, &Notice::code);
    if (known == found.end()) {
      const auto& smallest = curve.points.front();
      known = found.insert(
          known,
          {.code = code,
           .numbers = {{"curves", 0}, {"curves_in_all", static_cast<double>(curves.size())}},
           .detail = smallest.status == TrialStatus::complete ? "" : why_not_complete(smallest)});
    }
    known->numbers.front().value += 1;
  }
  return found;
}

bool nothing_ran(std::span<const Curve> curves) {
  const auto found = failed_curves(curves);
  return found && found->all && found->none_diverged;
}

std::vector<Notice> failed_curves_warning(std::span<const Curve> curves) {
  const auto found = failed_curves(curves);
  if (!found) {
    return {};
  }
  return {{.code = NoticeCode::trials_never_begin,
           .numbers = {{"curves", static_cast<double>(found->count)},
                       {"curves_in_all", static_cast<double>(curves.size())}},
           .detail = found->reason}};
}

std::vector<Notice> ends_in_failure_warning(const Plan& plan, std::span<const Curve> curves) {
  std::vector<Notice> list;
  for (const auto& failure : failures_at_end(curves)) {
    std::string names;
    for (const auto test : failure.tests) {
      names += (names.empty() ? "" : ", ") + plan.job.tests[test].name;
    }
    const auto curves_there = std::ranges::count_if(curves, [&](const Curve& curve) {
      return !has_flag(curve, unsupported) &&
             std::ranges::find(failure.tests, curve.key.test) != failure.tests.end();
    });
    list.push_back({.code = failure.code,
                    .subject = names,
                    .numbers = {{"tests", static_cast<double>(failure.tests.size())},
                                {"curves", static_cast<double>(failure.count)},
                                {"curves_in_all", static_cast<double>(curves_there)}},
                    .detail = failure.first});
  }
  return list;
}

std::vector<Notice> divergence_warning(const Plan& plan, std::span<const Curve> curves) {
  const auto by_itself = [](const Curve& curve) { return curve.region.diverges_by_itself; };
  const auto first = std::ranges::find_if(curves, by_itself);
  if (first == curves.end()) {
    return {};
  }
  const auto smallest =
      std::ranges::find(first->points, TrialStatus::diverged, &CurvePoint::status);
  std::vector<Notice> list{
      {.code = NoticeCode::diverges_whatever_h,
       .numbers = {{"curves", static_cast<double>(std::ranges::count_if(curves, by_itself))},
                   {"curves_in_all", static_cast<double>(curves.size())}},
       .detail = why_not_complete(*smallest)}};
  if (plan.job.own_problem && is_beyond_nominal(smallest->reason)) {
    list.push_back({.code = NoticeCode::raise_nominal});
  }
  return list;
}

}  // namespace macrostep::engine
