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
std::string how_it_ended(const Curve& curve) {
  switch (curve.points.front().status) {
    case TrialStatus::complete:
      return has_flag(curve, no_energy) ? "no energy crosses the power bonds"
                                        : "the trials with small H lie on no line";
    case TrialStatus::diverged:
      return "the trial with the smallest H diverged, which counts as unstable";
    case TrialStatus::timed_out:
      return "the trial with the smallest H took too long";
    case TrialStatus::unsupported:
      return "the configuration cannot run the test";
    case TrialStatus::solver_failed:
    case TrialStatus::fmu_error:
    case TrialStatus::crashed:
    case TrialStatus::cancelled:
      break;
  }
  return "the trial with the smallest H failed";
}

std::string advice(const Job& job, const std::string& reason) {
  const auto text = job.own_problem ? advice_of_divergence(reason) : "";
  return text.empty() ? text : "; " + text;
}

/// Why a curve ends at a trial that failed: "an FMU crashed"; nothing where it is no failure of a
/// subsystem, or the curve ends in another way first.
const char* failure_at_end(const Curve& curve, const CurvePoint& point) {
  if (curve.region.fit && curve.region.reason != why_not_complete(point)) {
    return nullptr;
  }
  switch (point.status) {
    case TrialStatus::crashed:
      return "an FMU crashed";
    case TrialStatus::timed_out:
      return "a trial took too long";
    case TrialStatus::fmu_error:
      return "an FMU failed";
    case TrialStatus::diverged:
      // An unstable coupling may come to that, too, and ends a curve in the usual way.
      return !curve.region.fit && is_not_finite(point.reason) ? "an output is not finite" : nullptr;
    case TrialStatus::complete:
    case TrialStatus::solver_failed:
    case TrialStatus::cancelled:
    case TrialStatus::unsupported:
      break;
  }
  return nullptr;
}

struct Failure {
  const char* why = nullptr;
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
    const char* why = failure_at_end(curve, *end);
    if (why == nullptr) {
      continue;
    }
    auto known = std::ranges::find(found, std::string_view(why), &Failure::why);
    if (known == found.end()) {
      known = found.insert(known, {.why = why, .first = end->reason, .tests = {}});
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

std::string why_no_linear_region(std::span<const Curve> curves) {
  struct Ends {
    std::size_t count = 0;
    std::string first;  ///< how its trial ended
  };
  std::vector<std::pair<std::string, Ends>> found;  // in the order of the curves
  for (const auto& curve : curves) {
    if (curve.region.fit || curve.region.diverges_by_itself || curve.points.empty()) {
      continue;
    }
    const auto how = how_it_ended(curve);
    auto known = std::ranges::find(found, how, &std::pair<std::string, Ends>::first);
    if (known == found.end()) {
      known = found.insert(known, {how, {}});
      const auto& smallest = curve.points.front();
      known->second.first = smallest.status == TrialStatus::complete
                                ? ""
                                : " (the first: " + why_not_complete(smallest) + ")";
    }
    ++known->second.count;
  }
  std::string text;
  for (const auto& [how, ends] : found) {
    text += (text.empty() ? "in " : ", in ") + std::to_string(ends.count) +
            (text.empty() ? " of " + std::to_string(curves.size()) + " curves " : " ") + how +
            ends.first;
  }
  return text;
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

std::vector<std::string> ends_in_failure_warning(const Plan& plan, std::span<const Curve> curves) {
  std::vector<std::string> sentences;
  for (const auto& failure : failures_at_end(curves)) {
    std::string names;
    for (const auto test : failure.tests) {
      names += (names.empty() ? "" : ", ") + plan.job.tests[test].name;
    }
    const auto curves_there = std::ranges::count_if(curves, [&](const Curve& curve) {
      return !has_flag(curve, unsupported) &&
             std::ranges::find(failure.tests, curve.key.test) != failure.tests.end();
    });
    sentences.push_back((failure.tests.size() == 1 ? "in the test " : "in the tests ") + names +
                        " " + std::to_string(failure.count) + " of " +
                        std::to_string(curves_there) + " curves end because " + failure.why +
                        (failure.count > 1 ? "; the first: " : ": ") + failure.first);
  }
  return sentences;
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
          why_not_complete(*smallest) + advice(plan.job, smallest->reason)};
}

}  // namespace macrostep::engine
