// Every code is one that the engine makes of plans, curves and recommendations: what nothing
// provokes fails here. Notices are never made by hand in this file.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/bonds/bond_notices.hpp"
#include "engine/plan/input_notices.hpp"
#include "engine/problem/fmu_notices.hpp"
#include "engine/recommendation/answer_notices.hpp"
#include "engine/recommendation/confidence.hpp"
#include "engine/recommendation/failed_curves.hpp"
#include "engine/recommendation/real_time.hpp"
#include "engine/scales/default_job.hpp"
#include "engine/scales/scales_notices.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/search/run_search.hpp"
#include "engine/search/verified_steps.hpp"
#include "engine/trial/run_notices.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/notices/provoked_findings.hpp"
#include "tests/engine/notices/provoked_reasons.hpp"
#include "tests/engine/notices/provoking.hpp"

namespace macrostep::tests::provoked {

namespace {

using namespace engine;

Provoke of_curve(std::string_view flag) {
  return [flag] { return notices_of(linear_plan(), std::vector{flagged(flag)}, 0, 1e-3); };
}

Provoke of_end(TrialStatus status, const char* reason) {
  return
      [=] { return ends_in_failure_warning(linear_plan(), std::vector{ending(status, reason)}); };
}

std::vector<Notice> of_halved_scan(ScanKind scan) {
  auto plan = linear_plan();
  plan.job.linear_region.scan = scan;
  auto curve = counting_curve();
  curve.region.halvings = 1;
  return notices_of(plan, std::vector{curve}, 0, 1e-3);
}

/// Neither configuration counts; both reach further than H.
std::vector<Notice> of_short_tests(double macro_step_s) {
  const auto plan = linear_plan();
  std::vector<Curve> curves;
  for (std::size_t id = 0; id < plan.curves.size(); ++id) {
    auto curve = flagged(too_few_macro_steps);
    curve.id = id;
    curve.key = plan.curves[id];
    curve.counts = false;
    curve.needed_duration_s = 3;
    curves.push_back(curve);
  }
  return short_test_warning(plan, curves, macro_step_s);
}

std::vector<Notice> of_divergence() {
  auto curve = ending(TrialStatus::diverged,
                      "an output grew beyond 10000 times its nominal value (1 of m1.f)");
  curve.region.diverges_by_itself = true;
  return divergence_warning(linear_plan(), std::vector{curve});
}

/// No schedule has what the job asks for.
std::vector<Notice> of_refusal(const char* pointer) {
  auto plan = linear_plan();
  for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
    plan.configurations[c].correction = Correction::nepce;
    plan.schedules[c] = FieldError{pointer, "the reason"};
  }
  plan.job.space.corrections = {Correction::nepce};
  auto list = refused_correction_warning(plan);
  const auto orders = refused_order_warning(plan);
  list.insert(list.end(), orders.begin(), orders.end());
  return list;
}

std::vector<Notice> of_accuracy(Job limits, std::optional<double> nrmse, double residual) {
  auto plan = crane_plan();
  plan.job.accuracy = limits.accuracy;
  plan.job.relative_residual_max = limits.relative_residual_max;
  Recommendation recommendation{.relative_residual = residual, .largest_residual_test = "ramp"};
  if (nrmse) {
    recommendation.error = MeasuredError{.nrmse = nrmse, .test = "sine"};
  }
  return accuracy_warning(plan, recommendation);
}

std::vector<Notice> of_checks(StabilityCheck check, std::vector<CheckOutcome> outcomes) {
  auto plan = crane_plan();
  plan.job.stability_check = check;
  return unchecked_warning(plan, {.macro_step_s = 1e-3, .checks = std::move(outcomes)});
}

std::vector<Notice> of_growth(GrowthKind kind) {
  return session_warning(
      {.growth = SessionGrowth{.growth = {.kind = kind, .rate_per_s = 1e-3}, .session_s = 50}});
}

/// The paper's rule recommends 4 ms, of a configuration of which 2 ms passes and 4 ms fails, or of
/// which nothing is known.
std::vector<Notice> of_doubt(bool is_checked) {
  VerifiedSteps steps([](std::size_t, double) { return false; });
  Recommendation paper{.rule = "paper", .macro_step_s = 4e-3};
  if (is_checked) {
    steps.add(0, 4e-3, {.outcomes = {{.check = "growth", .verdict = Verdict::objects}}});
    steps.add(0, 2e-3, {.outcomes = {{.check = "growth", .verdict = Verdict::agrees}}});
    paper.verified_s = 2e-3;
  }
  return steps.doubts(paper);
}

std::vector<Notice> of_real_time() {
  auto plan = linear_plan();
  plan.job.real_time_share = 0.5;
  Answer answer;
  answer.paper_rule = Recommendation{.rule = "paper", .macro_step_s = 1e-3};
  answer.step_times.rows = {
      {.configuration = 0, .macro_step_s = 1e-3, .macro_steps = 10, .times = {.p999_s = 1}}};
  keep_real_time(plan, answer, false);
  return answer.paper_rule->notices;
}

/// All trials are there, and no check has been made.
std::vector<Notice> of_stop() {
  auto job = two_masses();
  job.stability_check = StabilityCheck::identified;
  const auto plan = planned(job);
  std::vector<TrialRecord> records;
  run_search(plan, {.threads = 1, .on_result = [&](const auto& record, const auto&) {
                      records.push_back(record);
                    }});
  Search search(plan);
  for (const auto& record : records) {
    search.add(record);
  }
  search.wanted();
  search.stop();
  const auto result = search.result();
  REQUIRE(result.answer.recommendation);
  return result.answer.recommendation->notices;
}

/// An FMU of which nothing but its inputs is known.
std::vector<Notice> of_fmu(std::size_t inputs, const char* unit) {
  models::fmi::Fmu fmu;
  for (std::size_t i = 0; i < inputs; ++i) {
    fmu.description.variables.push_back({.name = "u" + std::to_string(i),
                                         .causality = models::fmi::Causality::input,
                                         .unit = unit});
  }
  OwnProblem own;
  own.subsystems = {
      {.name = "body",
       .state_space = {},
       .fmu = OwnFmu{.fmu = std::make_shared<models::fmi::Fmu>(fmu), .parameters = {}}}};
  return fmu_notices(own);
}

std::vector<Notice> of_run(double until_s, std::int64_t macro_steps) {
  auto job = two_masses();
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 2}};
  const auto plan = std::get<Plan>(make_plan(job, until_s));
  return run_notices(plan, 1e-3, {.residual_j = 2, .transmitted_j = 1, .macro_steps = macro_steps},
                     1.5);
}

std::vector<Notice> of_two_masses(const std::function<void(Job&)>& change) {
  auto job = two_masses();
  change(job);
  return notices_of(planned(job), std::vector{counting_curve()}, 0, 1e-3);
}

const Provoked of_problems{
    {NoticeCode::bond_factor,
     [] { return of_two_masses([](Job& job) { job.own_problem->power_bonds[0].factor = 5; }); }},
    {NoticeCode::unwatched_connections,
     [] {
       auto plan = linear_plan();
       plan.problem.couplings[0].power_bonds.clear();
       return notices_of(plan, std::vector{counting_curve()}, 0, 1e-3);
     }},
    {NoticeCode::input_without_source, [] { return of_fmu(1, ""); }},
    {NoticeCode::input_with_unit_without_source, [] { return of_fmu(1, "N"); }},
    {NoticeCode::more_inputs_without_source, [] { return of_fmu(11, ""); }},
    {NoticeCode::no_external_input, [] { return of_fmu(0, ""); }},
    {NoticeCode::input_beyond_range,
     [] {
       auto job = two_masses();
       job.tests = {{.name = "sine", .kind = TestKind::sine, .frequency_hz = 1, .amplitude = 100}};
       return input_range_warning(planned(job));
     }},
    {NoticeCode::problem_grows,
     [] {
       return of_two_masses(
           [](Job& job) { job.own_problem->subsystems[1].state_space.a(1, 1) = 2; });
     }},
    {NoticeCode::scales_found,
     [] {
       auto job = two_masses();
       job.scales = {.fastest_s = 0.03, .slowest_s = 0.1};
       return scales_notices(planned(job));
     }},
    {NoticeCode::scales_assumed,
     [] {
       auto job = two_masses();
       job.scales = assumed_scales;
       return scales_notices(planned(job));
     }},
    {NoticeCode::slow_motion_not_tested,
     [] {
       auto job = two_masses();
       job.scales = {.fastest_s = 0.03, .slowest_s = 0.1};
       job.tests[0].duration_s = 0.1;
       return scales_notices(planned(job));
     }},
    {NoticeCode::algebraic_loop,
     [] {
       auto plan = linear_plan();
       plan.graphs[0].algebraic_loop = "m1.f → m2.x";
       return notices_of(plan, std::vector{counting_curve()}, 0, 1e-3);
     }},
    {NoticeCode::correction_not_tried, [] { return of_refusal("/search/corrections"); }},
    {NoticeCode::orders_not_usable, [] { return of_refusal("/search/extrapolation"); }},
    {NoticeCode::micro_step_cut,
     [] {
       auto plan = linear_plan();
       plan.job.micro_steps = {{"m1", 1e-2}};
       return micro_step_warning(plan, plan.configurations[0], 1e-3);
     }},
};

const Provoked of_curves{
    {NoticeCode::tests_not_counted, of_curve(too_few_macro_steps)},
    {NoticeCode::linear_to_largest_tried, of_curve(bend_not_reached)},
    {NoticeCode::scan_halved, [] { return of_halved_scan(ScanKind::arithmetic); }},
    {NoticeCode::lower_scan, [] { return of_halved_scan(ScanKind::arithmetic); }},
    {NoticeCode::lower_first_macro_step, [] { return of_halved_scan(ScanKind::geometric); }},
    {NoticeCode::larger_steps_exceed_residual, of_curve(cut_at_relative_residual)},
    {NoticeCode::larger_steps_exceed_accuracy,
     [] {
       auto plan = linear_plan();
       plan.job.accuracy = 0.1;
       return notices_of(plan, std::vector{flagged(cut_at_relative_residual)}, 0, 1e-3);
     }},
    {NoticeCode::larger_steps_fail_checks, of_curve(cut_at_checks)},
    {NoticeCode::larger_steps_of_unknown_growth, of_curve(cut_at_unknown_growth)},
    {NoticeCode::larger_steps_grow_in_session, of_curve(cut_at_session_growth)},
    {NoticeCode::larger_steps_unstable,
     [] {
       auto curve = flagged(cut_at_stability_limit);
       curve.region.last_s = 2e-3;
       return notices_of(linear_plan(), std::vector{curve}, 0, 1e-3);
     }},
    {NoticeCode::larger_steps_exceed_transmitted, of_curve(cut_at_transmitted_energy)},
    {NoticeCode::tests_without_energy, of_curve(no_energy)},
    {NoticeCode::gauss_seidel_residual,
     [] {
       auto plan = linear_plan();
       plan.configurations[0].scheme = Scheme::gauss_seidel;
       return notices_of(plan, std::vector{counting_curve()}, 0, 1e-3);
     }},
    {NoticeCode::tests_too_short, [] { return of_short_tests(1e-3); }},
    {NoticeCode::all_tests_too_short, [] { return of_short_tests(0); }},
    {NoticeCode::trials_timed_out,
     [] {
       return notices_of(linear_plan(), std::vector{ending(TrialStatus::timed_out, "slow")}, 0,
                         1e-3);
     }},
    {NoticeCode::trials_never_begin,
     [] { return failed_curves_warning(std::vector{ending(TrialStatus::fmu_error, "guid", 0)}); }},
    {NoticeCode::curves_end_in_crash, of_end(TrialStatus::crashed, "abort (SIGABRT)")},
    {NoticeCode::curves_end_in_timeout, of_end(TrialStatus::timed_out, "it took more than 5 s")},
    {NoticeCode::curves_end_in_fmu_error, of_end(TrialStatus::fmu_error, "fmi2DoStep failed")},
    {NoticeCode::curves_end_not_finite, of_end(TrialStatus::diverged, "m2.v became NaN at 0.9 s")},
    {NoticeCode::diverges_whatever_h, of_divergence},
    {NoticeCode::raise_nominal, of_divergence},
};

const Provoked of_stability{
    {NoticeCode::unstable_by_exact_analysis, [] { return of_growth(GrowthKind::growing); }},
    {NoticeCode::stable_within_session, [] { return of_growth(GrowthKind::within_session); }},
    {NoticeCode::beyond_cliff,
     [] { return little_margin_warning({.macro_step_s = 2e-3, .cliff_s = 2e-3}); }},
    {NoticeCode::little_margin,
     [] { return little_margin_warning({.macro_step_s = 2e-3, .cliff_s = 2.2e-3}); }},
    {NoticeCode::nothing_verified, [] { return of_checks(StabilityCheck::none, {}); }},
    {NoticeCode::growth_and_swing_unchecked,
     [] {
       return of_checks(StabilityCheck::none, {{.check = "change", .verdict = Verdict::agrees}});
     }},
    {NoticeCode::exact_check_needs_linear_problem,
     [] { return of_checks(StabilityCheck::exact, {}); }},
    {NoticeCode::unseen_inputs_unchecked,
     [] { return of_checks(StabilityCheck::all, {{.check = "unseen"}}); }},
    {NoticeCode::stability_unknown,
     [] { return of_checks(StabilityCheck::all, {{.check = "growth"}}); }},
    {NoticeCode::stopped_before_checks, of_stop},
    {NoticeCode::fails_check, [] { return of_doubt(true); }},
    {NoticeCode::smaller_step_verified, [] { return of_doubt(true); }},
    {NoticeCode::never_shown_stable, [] { return of_doubt(false); }},
    {NoticeCode::no_confidence_in_part,
     [] {
       return no_confidence_warning(linear_plan(),
                                    {.checks = {{.check = "growth", .left_out = 1}}});
     }},
    {NoticeCode::no_confidence_outside_study,
     [] { return no_confidence_warning(linear_plan(), {}); }},
};

const Provoked of_accuracy_and_time{
    {NoticeCode::outputs_off, [] { return of_accuracy({}, 0.1, 0.05); }},
    {NoticeCode::outputs_not_accurate, [] { return of_accuracy({}, 0.4, 0.05); }},
    {NoticeCode::outputs_useless, [] { return of_accuracy({}, 1.5, 0.05); }},
    {NoticeCode::outputs_off_by_integrators, [] { return of_accuracy({}, 0.4, 0.005); }},
    {NoticeCode::residual_notable, [] { return of_accuracy({}, {}, 0.05); }},
    {NoticeCode::residual_not_accurate, [] { return of_accuracy({}, {}, 0.3); }},
    {NoticeCode::residual_useless, [] { return of_accuracy({}, {}, 1.3); }},
    {NoticeCode::set_accuracy, [] { return of_accuracy({}, 0.1, 0.05); }},
    {NoticeCode::tighten_accuracy, [] { return of_accuracy({.accuracy = 0.1}, 0.1, 0.05); }},
    {NoticeCode::tighten_residual_limit,
     [] { return of_accuracy({.relative_residual_max = 0.1}, 0.1, 0.05); }},
    {NoticeCode::real_time_not_kept, of_real_time},
    {NoticeCode::real_time_fails_check,
     [] {
       return real_time_check_warning(
           {.outcomes = {{.check = "swing", .verdict = Verdict::objects}}}, 1e-3);
     }},
    {NoticeCode::run_too_short, [] { return of_run(2, 5); }},
    {NoticeCode::run_not_driven, [] { return of_run(0.3, 300); }},
    {NoticeCode::run_hardly_driven, [] { return of_run(1.005, 1005); }},
    {NoticeCode::run_error_absurd, [] { return of_run(2, 2000); }},
    {NoticeCode::run_residual_absurd, [] { return of_run(2, 2000); }},
};

/// What other rooms than the engine's make, and the test that holds it there.
const std::map<NoticeCode, std::string> elsewhere{
    {NoticeCode::earlier_builds, "tests/server/api/results_test.cpp"},
};

std::string text_of(const std::string& path) {
  std::ifstream file(std::filesystem::path(MACROSTEP_SOURCE_DIR) / path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("every notice is provoked by a plan, curves or a recommendation") {
  Provoked all;
  for (const auto* part :
       {&of_problems, &of_curves, &of_stability, &of_accuracy_and_time, &reasons_of_answers(),
        &reasons_of_none(), &reasons_of_curves(), &reasons_of_tunings(), &findings_of_comparisons(),
        &findings_of_growth()}) {
    all.insert(part->begin(), part->end());
  }
  for (const auto& row : notice_sentences()) {
    CAPTURE(row.name);
    if (const auto other = elsewhere.find(row.code); other != elsewhere.end()) {
      CHECK(text_of(other->second).find('"' + std::string(row.name) + '"') != std::string::npos);
      continue;
    }
    REQUIRE_MESSAGE(all.contains(row.code), "nothing provokes it");
    const auto notices = all.at(row.code)();
    CHECK(has_notice(notices, row.code));
    for (const auto& text : sentences(notices)) {
      CHECK_FALSE(text.empty());
    }
  }
}

}  // namespace macrostep::tests::provoked
