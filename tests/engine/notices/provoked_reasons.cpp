#include "tests/engine/notices/provoked_reasons.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <utility>

#include "engine/recommendation/confirm.hpp"
#include "engine/recommendation/failed_curves.hpp"
#include "engine/recommendation/real_time.hpp"
#include "engine/recommendation/recommend.hpp"
#include "engine/recommendation/why_nothing.hpp"

namespace macrostep::tests::provoked {

namespace {

/// The curves of both configurations, the second one like `other`.
std::vector<Curve> curves_with(Curve first, Curve other) {
  other.id = 1;
  other.key.configuration = 1;
  return {std::move(first), std::move(other)};
}

Curve measured_curve() {
  auto curve = counting_curve();
  curve.region.last_s = curve.usable_s;
  curve.measured = {.usable_s = curve.usable_s, .counts = true};
  return curve;
}

std::vector<Curve> measured_curves() {
  return curves_with(measured_curve(), measured_curve());
}

Answer answer_of(const Plan& plan) {
  auto answer = recommend(plan, measured_curves());
  REQUIRE(answer.recommendation);
  return answer;
}

std::vector<Notice> of_answer(const Curve& first, const Curve& other) {
  const auto answer = recommend(linear_plan(), curves_with(first, other));
  REQUIRE(answer.recommendation);
  return answer.recommendation->reasons;
}

Curve limited() {
  auto curve = measured_curve();
  curve.flags = {std::string(limited_by_rate)};
  return curve;
}

/// Reaches further, in a test that is too short for it.
Curve dropped() {
  auto curve = flagged(too_few_macro_steps);
  curve.usable_s = 5e-3;
  curve.counts = false;
  return curve;
}

/// All runs fail this check.
std::vector<Notice> of_rejection(std::string_view check, std::size_t most = max_checks,
                                 std::vector<double> allowed_s = {}) {
  auto plan = linear_plan();
  plan.job.allowed_macro_steps_s = std::move(allowed_s);
  const auto answer = confirm(
      plan, answer_of(plan),
      [&](std::size_t, double, Evidence) {
        return CheckedRun{.outcomes = {{.check = check,
                                        .verdict = Verdict::objects,
                                        .value = 9,
                                        .limit = 2,
                                        .findings = {{.code = NoticeCode::nothing_moves}}}}};
      },
      nullptr, most);
  CHECK_FALSE(answer.recommendation);
  return answer.reasons;
}

Provoke of_check(std::string_view check) {
  return [check] { return of_rejection(check); };
}

/// Nothing keeps real time: no times, or only such as are too long.
std::vector<Notice> of_times(bool is_stopped, bool is_timed) {
  auto plan = linear_plan();
  plan.job.real_time_share = 0.5;
  auto answer = answer_of(plan);
  answer.step_times.failure = "crashed: it has had enough";
  if (is_timed) {
    const auto& candidate = answer.timing_candidates.front();
    answer.step_times.rows = {{.configuration = candidate.configuration,
                               .macro_step_s = candidate.macro_steps_s.front(),
                               .macro_steps = 10,
                               .times = {.p999_s = 1}}};
  }
  keep_real_time(plan, answer, is_stopped);
  CHECK_FALSE(answer.recommendation);
  return answer.reasons;
}

std::vector<Notice> of_none(const Curve& both, const std::function<void(Job&)>& change = {}) {
  auto plan = linear_plan();
  if (change) {
    change(plan.job);
  }
  return why_nothing(plan, curves_with(both, both));
}

Provoke of_unusable(std::string_view flag, const std::function<void(Job&)>& change = {}) {
  return [=] {
    auto curve = flagged(flag);
    curve.usable_s.reset();
    return of_none(curve, change);
  };
}

Provoke of_smallest(TrialStatus status) {
  return [=] { return of_none(ending(status, "the reason")); };
}

}  // namespace

const Provoked& reasons_of_answers() {
  static const Provoked all{
      {NoticeCode::largest_linear_step,
       [] { return of_answer(measured_curve(), measured_curve()); }},
      {NoticeCode::largest_stable_step, [] { return of_answer(limited(), limited()); }},
      {NoticeCode::limited_by_tests, [] { return of_answer(measured_curve(), measured_curve()); }},
      {NoticeCode::longer_curves_not_counted,
       [] { return of_answer(measured_curve(), dropped()); }},
      {NoticeCode::rival_changes_more,
       [] {
         const auto plan = linear_plan();
         const auto answer = answer_of(plan);
         return recommend_rival(plan, answer.curves, *answer.recommendation, 1).reasons;
       }},
      {NoticeCode::best_in_real_time,
       [] {
         const auto plan = linear_plan();
         const auto answer = answer_of(plan);
         return recommend_instead(plan, answer.curves, *answer.recommendation,
                                  {.configuration = 1, .macro_step_s = 1e-3})
             .reasons;
       }},
      {NoticeCode::smallest_row, [] { return answer_of(linear_plan()).paper_rule->reasons; }},
      {NoticeCode::run_fails_check, of_check("swing")},
      {NoticeCode::other_runs_fail, of_check("swing")},
      {NoticeCode::checks_limited, [] { return of_rejection("swing", 1); }},
  };
  return all;
}

const Provoked& reasons_of_none() {
  static const Provoked all{
      {NoticeCode::all_runs_fail_checks, of_check("swing")},
      {NoticeCode::nearest_to_limit, of_check("growth")},
      {NoticeCode::allow_smaller_steps,
       [] {
         return of_rejection("swing", max_checks, {1e-3, 2e-3});
       }},
      {NoticeCode::stopped_before_times, [] { return of_times(true, false); }},
      {NoticeCode::times_not_measured, [] { return of_times(false, false); }},
      {NoticeCode::answer_without_real_time, [] { return of_times(false, false); }},
      {NoticeCode::none_in_real_time, [] { return of_times(false, true); }},
      {NoticeCode::stopped_before_answer, [] { return why_nothing(linear_plan(), {}); }},
      {NoticeCode::no_trial_begins,
       [] { return of_none(ending(TrialStatus::fmu_error, "the guid", 0)); }},
      {NoticeCode::residual_limit_not_reached,
       of_unusable(relative_residual_exceeded, [](Job& job) { job.relative_residual_max = 1e-9; })},
      {NoticeCode::accuracy_not_reached, of_unusable(relative_residual_exceeded,
                                                     [](Job& job) {
                                                       job.accuracy = 1e-9;
                                                       job.relative_residual_max = 1e-9;
                                                     })},
      {NoticeCode::allowed_steps_not_reached, of_unusable(no_allowed_macro_step)},
      {NoticeCode::unstable_at_every_step, of_unusable(unstable)},
      {NoticeCode::undamped_within_session, of_unusable(unstable)},
      {NoticeCode::no_usable_configuration,
       [] {
         auto curve = measured_curve();
         curve.region.fit.emplace();
         return of_none(curve);
       }},
      {NoticeCode::no_region_anywhere, of_smallest(TrialStatus::complete)},
      {NoticeCode::no_region_without_energy, of_unusable(no_energy)},
      {NoticeCode::no_region_on_no_line, of_smallest(TrialStatus::complete)},
      {NoticeCode::no_region_diverged, of_smallest(TrialStatus::diverged)},
      {NoticeCode::no_region_timed_out, of_smallest(TrialStatus::timed_out)},
      {NoticeCode::no_region_unsupported, of_smallest(TrialStatus::unsupported)},
      {NoticeCode::no_region_failed, of_smallest(TrialStatus::crashed)},
      {NoticeCode::no_row_counts,
       [] {
         auto answer = answer_of(linear_plan());
         answer.paper_rule.reset();
         return why_no_row(answer);
       }},
  };
  return all;
}

}  // namespace macrostep::tests::provoked
