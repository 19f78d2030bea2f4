#include "tests/engine/notices/provoked_reasons.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/recommendation/confirm.hpp"
#include "engine/recommendation/failed_curves.hpp"
#include "engine/recommendation/real_time.hpp"
#include "engine/recommendation/recommend.hpp"
#include "engine/recommendation/why_nothing.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/scan/finish_curve.hpp"
#include "engine/scan/linear_region.hpp"
#include "engine/studies/tuning.hpp"
#include "tests/engine/benchmarks/built_in.hpp"
#include "tests/made_backends.hpp"

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
      [&](std::size_t, double, Asked) {
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

/// Points on E = H^slope, from the third to the last one of five times that.
Provoke of_region(double slope, bool is_complete = true) {
  return [=] {
    std::vector<CurvePoint> points;
    for (int i = 1; i <= 6; ++i) {
      const double macro_step_s = 1e-3 * i;
      points.push_back({.macro_step_s = macro_step_s,
                        .residual_j = (i > 3 ? 5 : 1) * std::pow(macro_step_s, slope)});
    }
    points[3].status = is_complete ? TrialStatus::complete : TrialStatus::solver_failed;
    return find_linear_region(points, {}, 0).reasons;
  };
}

/// A scan in a test of this length, whose trials all end so.
std::vector<Notice> of_scan(double duration_s, TrialStatus status) {
  auto plan = linear_plan();
  plan.job.tests[0].duration_s = duration_s;
  CurveScan scan(plan, 0);
  while (const auto macro_step_s = scan.next()) {
    scan.add({.status = status,
              .residual_j = *macro_step_s,
              .transmitted_j = 1e-6,
              .macro_steps = std::llround(0.7 / *macro_step_s)});
  }
  return scan.region().reasons;
}

std::vector<Notice> of_refused_configuration() {
  auto plan = linear_plan();
  plan.schedules[0] = FieldError{"/search/extrapolation", "no"};
  CurveScan scan(plan, 0);
  scan.add({.status = TrialStatus::unsupported});
  StabilityVerdicts verdicts(plan);
  return finish_curve(plan, 0, scan, verdicts).region.reasons;
}

/// What the interface energy of a trial is, in J; null: trials crash. There are two tests.
using InterfaceEnergy = double (*)(bool is_step, const CorrectionParameters& setting);

std::vector<Notice> of_tuning(InterfaceEnergy energy_j, const std::atomic<bool>* stop = nullptr) {
  auto plan = built_in("linear_oscillator");
  plan.job.tests = {free_motion(2), test_of(plan, "step")};
  const TrialsBy backend([&](const Plan&, const TrialSettings& run) {
    if (!energy_j) {
      return TrialResult{.status = TrialStatus::crashed, .reason = "abort (SIGABRT)"};
    }
    run.energies->interface_j = {
        energy_j(run.test->name == "step", run.configuration->correction_parameters)};
    return TrialResult{.transmitted_j = 1};
  });
  return tune(with_only(plan, first_with(plan, "force_displacement")),
              {.macro_step_s = 1e-3,
               .objective = TuningObjective::interface_energy,
               .stop = stop,
               .backend = &backend})
      .reasons;
}

std::vector<Notice> of_coupling_without_effort() {
  const auto plan = built_in("linear_oscillator");
  return tune(with_only(plan, first_with(plan, "displacement_displacement")),
              {.macro_step_s = 1e-3})
      .reasons;
}

std::vector<Notice> of_unknown_energy() {
  return tune(linear_plan(), {.macro_step_s = 1e-3, .objective = TuningObjective::energy_deviation})
      .reasons;
}

std::vector<Notice> of_stopped_tuning() {
  const std::atomic<bool> stop = true;
  return of_tuning([](bool, const auto&) { return 1.0; }, &stop);
}

/// Each setting is better in one of the tests only.
double better_in_one(bool is_step, const CorrectionParameters& setting) {
  const bool is_better = setting.nu > 0 && (setting.mu.value_or(0) > 0) == is_step;
  return is_better ? 0.5 : 1;
}

}  // namespace

const Provoked& reasons_of_answers() {
  static const Provoked all{
      {NoticeCode::largest_linear_step,
       [] { return of_answer(measured_curve(), measured_curve()); }},
      {NoticeCode::largest_stable_step, [] { return of_answer(limited(), limited()); }},
      {NoticeCode::limited_by_tests, [] { return of_answer(measured_curve(), measured_curve()); }},
      {NoticeCode::limited_by_stability,
       [] {
         auto curve = limited();
         curve.stability_limit_s = stability_margin * *curve.usable_s;
         curve.limited_by = cut_at_stability_limit;
         return of_answer(curve, curve);
       }},
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
      {NoticeCode::no_run_follows,
       [] {
         const auto plan = linear_plan();
         return confirm(plan, answer_of(plan),
                        [](std::size_t, double, Asked) {
                          CheckedRun run;
                          run.outcomes = {{.check = "growth"},
                                          {.check = "swing", .most_left_out = true}};
                          return run;
                        })
             .reasons;
       }},
      {NoticeCode::nearest_to_limit, of_check("swing")},
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
      {NoticeCode::limit_below_scan,
       [] {
         auto curve = measured_curve();
         curve.usable_s.reset();
         curve.flags = {std::string(unstable)};
         curve.stability_limit_s = 1e-6;
         return of_none(curve);
       }},
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

const Provoked& reasons_of_curves() {
  static const Provoked all{
      {NoticeCode::trial_incomplete, of_region(1, false)},
      {NoticeCode::residual_above_line, of_region(1)},
      {NoticeCode::slope_of_no_region, of_region(3.5)},
      {NoticeCode::diverges_at_same_time, [] { return of_scan(10, TrialStatus::diverged); }},
      {NoticeCode::test_too_short_for_grid, [] { return of_scan(1e-9, TrialStatus::complete); }},
      {NoticeCode::configuration_unsupported, of_refused_configuration},
  };
  return all;
}

const Provoked& reasons_of_tunings() {
  static const Provoked all{
      {NoticeCode::tuning_refused, of_coupling_without_effort},
      {NoticeCode::energy_deviation_unknown, of_unknown_energy},
      {NoticeCode::no_tuning_run_completes, [] { return of_tuning(nullptr); }},
      {NoticeCode::no_better_setting,
       [] { return of_tuning([](bool, const auto&) { return 1.0; }); }},
      {NoticeCode::setting_not_general, [] { return of_tuning(better_in_one); }},
      {NoticeCode::tuning_stopped, of_stopped_tuning},
  };
  return all;
}

}  // namespace macrostep::tests::provoked
