#include "engine/recommendation/why_nothing.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "engine/recommendation/answer_notices.hpp"
#include "engine/recommendation/failed_curves.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/stability/stability.hpp"
#include "engine/trial/trial_end.hpp"

namespace macrostep::engine {

namespace {

/// Names of the tests in which no curve is usable and some curve has the flag.
std::string tests_without_usable(const Plan& plan, const std::vector<Curve>& curves,
                                 std::string_view flag) {
  std::string names;
  for (std::size_t test = 0; test < plan.job.tests.size(); ++test) {
    bool usable = false;
    bool flagged = false;
    for (const auto& curve : curves) {
      usable = usable || (curve.key.test == test && curve.usable_s);
      flagged = flagged || (curve.key.test == test && has_flag(curve, flag));
    }
    if (flagged && !usable) {
      names += (names.empty() ? "" : ", ") + plan.job.tests[test].name;
    }
  }
  return names;
}

/// The largest of all curves; absent where none has a limit.
std::optional<double> largest_limit(const std::vector<Curve>& curves) {
  std::optional<double> limit_s;
  for (const auto& curve : curves) {
    if (const auto own_s = curve.exact_limit_s()) {
      limit_s = std::max(limit_s.value_or(*own_s), *own_s);
    }
  }
  return limit_s;
}

/// The smallest H with which a trial ran, or that the job allows.
double smallest_tried(const Plan& plan, const std::vector<Curve>& curves) {
  if (!plan.job.allowed_macro_steps_s.empty()) {
    return std::ranges::min(plan.job.allowed_macro_steps_s);
  }
  double smallest_s = plan.job.macro_step.initial_s;
  for (const auto& curve : curves) {
    if (!curve.points.empty()) {
      smallest_s = std::min(smallest_s, curve.points.front().macro_step_s);
    }
  }
  return smallest_s;
}

/// Where a smaller H would be stable; nothing where the exact analysis knows of none.
std::vector<Notice> below_scan(const Plan& plan, const std::vector<Curve>& curves) {
  const auto limit_s = largest_limit(curves);
  if (!limit_s || *limit_s / stability_margin >= smallest_tried(plan, curves)) {
    return {};
  }
  return {{.code = NoticeCode::limit_below_scan,
           .numbers = {{"limit_s", *limit_s}, {"macro_step_s", smallest_tried(plan, curves)}}}};
}

/// Whether the exact analysis leaves no H of any configuration.
bool is_unstable_everywhere(const Plan& plan, const std::vector<Curve>& curves) {
  return std::ranges::all_of(plan.curves, [&](const CurveKey& key) {
    return std::ranges::any_of(curves, [&](const Curve& curve) {
      return curve.key.configuration == key.configuration && has_flag(curve, unstable);
    });
  });
}

}  // namespace

std::vector<Notice> why_nothing(const Plan& plan, const std::vector<Curve>& curves) {
  if (curves.size() < plan.curves.size()) {
    return {{.code = NoticeCode::stopped_before_answer,
             .numbers = {{"curves", static_cast<double>(curves.size())},
                         {"curves_in_all", static_cast<double>(plan.curves.size())}}}};
  }
  const auto failed = failed_curves(curves);
  if (failed && failed->all) {
    std::vector<Notice> reasons{{.code = NoticeCode::no_trial_begins, .detail = failed->reason}};
    if (plan.job.own_problem && is_beyond_nominal(failed->reason)) {
      reasons.push_back({.code = NoticeCode::raise_nominal});
    }
    return reasons;
  }
  if (plan.job.relative_residual_max) {
    const auto tests = tests_without_usable(plan, curves, relative_residual_exceeded);
    if (!tests.empty()) {
      return {{.code = plan.job.accuracy ? NoticeCode::accuracy_not_reached
                                         : NoticeCode::residual_limit_not_reached,
               .subject = tests,
               .numbers = {{"relative_residual_max", *plan.job.relative_residual_max}}},
              finer_scan_advice(plan.job)};
    }
  }
  if (const auto tests = tests_without_usable(plan, curves, no_allowed_macro_step);
      !tests.empty()) {
    std::vector<Notice> reasons{{.code = NoticeCode::allowed_steps_not_reached, .subject = tests}};
    std::ranges::move(below_scan(plan, curves), std::back_inserter(reasons));
    return reasons;
  }
  std::vector<Notice> reasons;
  const auto append = [&](const std::vector<Notice>& more) {
    reasons.insert(reasons.end(), more.begin(), more.end());
  };
  if (is_unstable_everywhere(plan, curves)) {
    reasons.push_back({.code = NoticeCode::unstable_at_every_step});
    append(below_scan(plan, curves));
    const auto modes = exact_modes(plan, plan.configurations.front());
    if (modes && !modes->undamped_rad_s.empty()) {
      reasons.push_back({.code = NoticeCode::undamped_within_session,
                         .numbers = {{"session_s", session_s(plan, &*modes)}}});
    }
    append(growth_warning(plan, 0));
    return reasons;
  }
  const bool any_region =
      std::ranges::any_of(curves, [](const Curve& curve) { return curve.region.fit.has_value(); });
  reasons.push_back(
      {.code = any_region ? NoticeCode::no_usable_configuration : NoticeCode::no_region_anywhere});
  if (!any_region) {
    append(why_no_linear_region(curves));
  }
  append(failed_curves_warning(curves));
  if (any_region) {  // elsewhere how they end is told already
    append(ends_in_failure_warning(plan, curves));
  }
  append(divergence_warning(plan, curves));
  append(short_test_warning(plan, curves, 0));
  append(growth_warning(plan, 0));
  return reasons;
}

std::vector<Notice> why_no_row(const Answer& answer) {
  return answer.reasons.empty() ? std::vector<Notice>{{.code = NoticeCode::no_row_counts}}
                                : answer.reasons;
}

std::vector<Notice> all_fail(const Job& job) {
  return {{.code = NoticeCode::all_runs_fail_checks},
          job.allowed_macro_steps_s.empty() ? finer_scan_advice(job)
                                            : Notice{.code = NoticeCode::allow_smaller_steps}};
}

Notice nothing_speaks_for(const Plan& plan, const Recommendation& run) {
  auto notice = about_run(NoticeCode::no_run_follows, plan, run.configuration, run.macro_step_s);
  for (const auto& outcome : run.checks) {
    std::ranges::copy_if(
        outcome.findings, std::back_inserter(notice.causes),
        [](const Notice& finding) { return finding.code == NoticeCode::random_inputs_left_out; });
  }
  return notice;
}

}  // namespace macrostep::engine
