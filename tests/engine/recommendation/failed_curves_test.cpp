// Searches of which nothing runs, and what the answers of others tell of their curves.
#include "engine/recommendation/failed_curves.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/scan/curve_flags.hpp"
#include "engine/search/run_search.hpp"
#include "engine/trial/run_notices.hpp"
#include "engine/trial/trial_end.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/made_backends.hpp"

using namespace macrostep;
using namespace macrostep::engine;
using macrostep::tests::found_notice;
using macrostep::tests::has_notice;
using macrostep::tests::number_of;

TEST_CASE("a problem whose solution is lost in rounding errors that grew is not recommended") {
  // The trapezoidal rule turns a growth of e^1e5 within a macro-step into a factor of nearly -1.
  auto job = macrostep::tests::two_masses();
  job.own_problem->subsystems[0].state_space.a(0, 0) = 1e10;
  const auto plan = std::get<Plan>(make_plan(job));
  const auto answer = run_search(plan, {}).answer;
  CHECK_FALSE(answer.recommendation);
  CHECK(has_notice(answer.reasons, NoticeCode::problem_grows));
}

TEST_CASE("where undamped oscillations grow too far at every H the reason tells the session") {
  auto job = macrostep::tests::two_masses();
  job.space.extrapolation = {Extrapolation::order_0};
  job.session_s = 1e9;
  const auto answer = run_search(std::get<Plan>(make_plan(job)), {}).answer;
  CHECK_FALSE(answer.recommendation);
  CHECK(number_of(found_notice(answer.reasons, NoticeCode::undamped_within_session), "session_s") ==
        1e9);
}

TEST_CASE("where the limit lies too far below the scan, or what is allowed, the reason tells it") {
  auto job = macrostep::tests::two_masses();
  for (std::size_t part = 0; part < 2; ++part) {  // damped: ζ = 0.02
    auto& a = job.own_problem->subsystems[part].state_space.a;
    a(1, 1) = -0.04 * std::sqrt(-a(1, 0));
  }
  job.space.extrapolation = {Extrapolation::order_0};
  const auto free = run_search(std::get<Plan>(make_plan(job)), {}).answer;
  REQUIRE(free.recommendation);
  REQUIRE(free.recommendation->stability_limit_s);
  const double limit_s = *free.recommendation->stability_limit_s;
  job.allowed_macro_steps_s = {2 * limit_s, 3 * limit_s};
  job.macro_step.initial_s = 2 * limit_s;
  job.macro_step.maximum_s = 4 * limit_s;
  const auto answer = run_search(std::get<Plan>(make_plan(job)), {}).answer;
  CHECK_FALSE(answer.recommendation);
  const auto notice = found_notice(answer.reasons, NoticeCode::limit_below_scan);
  CHECK(number_of(notice, "limit_s") == doctest::Approx(limit_s).epsilon(1e-5));
  CHECK(number_of(notice, "macro_step_s") == 2 * limit_s);
}

TEST_CASE("a search of which nothing runs says why, and has failed") {
  auto job = macrostep::tests::two_masses();
  auto& x0 = job.own_problem->subsystems[0].state_space.x0;
  x0.setConstant(1e308);
  const auto result_of = [](const Job& any) {
    return run_search(std::get<Plan>(make_plan(any)), {}).answer;
  };
  const auto never_begins = result_of(job);
  CHECK_FALSE(never_begins.recommendation);
  CHECK(never_begins.reason().starts_with("no trial gets past its first macro-step: at H = "));
  CHECK(never_begins.reason().ends_with(
      "the trial failed in a solver: an output at the start is not finite: m1.f is infinite"));
  CHECK(nothing_ran(never_begins.curves));

  x0.setConstant(1e12);  // beyond 10 000 times the nominal value: an answer, if a poor one
  const auto diverges_at_once = result_of(job);
  CHECK(diverges_at_once.reason().find("the trial diverged: an output grew beyond") !=
        std::string::npos);
  CHECK(has_notice(diverges_at_once.reasons, NoticeCode::raise_nominal));
  CHECK_FALSE(nothing_ran(diverges_at_once.curves));

  x0.setZero();
  const auto runs = result_of(job);
  REQUIRE(runs.recommendation);
  CHECK_FALSE(failed_curves(runs.curves));
}

TEST_CASE("where a nominal value ends every trial, the answer names the output, and no H") {
  // The step moves the first mass by t²/2, its spring by 1e-5 N within half a millisecond.
  auto job = macrostep::tests::two_masses();
  for (auto& subsystem : job.own_problem->subsystems) {
    subsystem.state_space.x0.setZero();
    for (auto& output : subsystem.state_space.outputs) {
      output.nominal = 1e-9;
    }
  }
  const auto answer = run_search(std::get<Plan>(make_plan(job)), {}).answer;
  CHECK_FALSE(answer.recommendation);
  CAPTURE(answer.reason());
  CHECK(answer.reason().starts_with(
      "no configuration has a linear region in any test; in 2 of 2 curves the trials diverged at "
      "the same time with every H tried; in the first one, at H = "));
  CHECK(answer.reason().find("grew beyond 10000 times its nominal value (1e-09 of m1.f) at 0.5") !=
        std::string::npos);
  CHECK(
      answer.reason().ends_with("; give that output a larger nominal if such values are expected"));
}

TEST_CASE("the reason of a search without an answer tells how the trials ended, most of all") {
  const auto curve = [](TrialStatus status, const std::string& reason) {
    Curve one;
    one.points = {{.macro_step_s = 1e-3, .status = status, .macro_steps = 7, .reason = reason}};
    return one;
  };
  auto still = curve(TrialStatus::complete, "");
  still.flags = {std::string(no_energy)};
  const std::vector<Curve> curves{curve(TrialStatus::timed_out, "it took more than 5 s"),
                                  curve(TrialStatus::timed_out, "it took more than 6 s"),
                                  curve(TrialStatus::diverged, "m2.v became NaN at 0.007 s"), still,
                                  curve(TrialStatus::crashed, "abort (SIGABRT) at 0.007 s")};
  CHECK(joined_sentences(why_no_linear_region(curves)) ==
        "in 2 of 5 curves the trial with the smallest H took too long (the first: at H = 1 ms the "
        "trial took too long: it took more than 5 s); in 1 of 5 curves the trial with the smallest "
        "H diverged, which counts as unstable (the first: at H = 1 ms the trial diverged: m2.v "
        "became NaN at 0.007 s); in 1 of 5 curves no energy crosses the power bonds; in 1 of 5 "
        "curves the trial with the smallest H failed (the first: at H = 1 ms the trial crashed in "
        "an FMU: abort (SIGABRT) at 0.007 s)");
}

TEST_CASE("failures that end curves of some tests are told beside what the others show") {
  auto job = macrostep::tests::two_masses();
  job.tests.push_back(job.tests.front());
  job.tests.back().name = "long";
  const auto plan = std::get<Plan>(make_plan(job));
  const auto answer_of = [&](TrialStatus status, const std::string& reason) {
    const macrostep::tests::TrialsBy backend([&](const Plan& of, const TrialSettings& trial) {
      if (trial.test->name == "long") {
        return TrialResult{
            .status = status, .reason = reason, .macro_steps = 900, .final_time_s = 0.95};
      }
      return run_trial(of, trial);
    });
    return run_search(plan, {.backend = &backend}).answer;
  };
  const auto reasons_of = [&](TrialStatus status, const std::string& reason) {
    const auto answer = answer_of(status, reason);
    CHECK_FALSE(answer.recommendation);
    return answer.reasons;
  };
  const auto crashes = reasons_of(TrialStatus::crashed, "segmentation fault (SIGSEGV) at 0.95 s");
  CHECK(found_notice(crashes, NoticeCode::curves_end_in_crash) ==
        Notice{.code = NoticeCode::curves_end_in_crash,
               .subject = "long",
               .numbers = {{"tests", 1}, {"curves", 2}, {"curves_in_all", 2}},
               .detail = "segmentation fault (SIGSEGV) at 0.95 s"});
  CHECK(has_notice(reasons_of(TrialStatus::timed_out, "a macro-step took more than 10 s"),
                   NoticeCode::curves_end_in_timeout));
  const auto no_number = reasons_of(TrialStatus::diverged, "m2.v became NaN at 0.95 s");
  CHECK(found_notice(no_number, NoticeCode::curves_end_not_finite)
            .detail.find("m2.v became NaN at 0.95 s") != std::string::npos);
  CHECK_FALSE(has_notice(no_number, NoticeCode::raise_nominal));
}

TEST_CASE("a large output gets the advice of a nominal value, one that is not finite does not") {
  const auto plan = std::get<Plan>(make_plan(macrostep::tests::two_masses()));
  const auto advice = [&](const char* reason) {
    return divergence_advice(
        plan, 1e-3, {.status = TrialStatus::diverged, .reason = reason, .final_time_s = 2e-3},
        false);
  };
  CHECK(advice("an output grew beyond 10000 times its nominal value").find("larger nominal") !=
        std::string::npos);
  CHECK(advice("m2.v became NaN at 0.002 s") ==
        "Either the coupling is unstable or the subsystem fails by itself: a smaller --macro-step "
        "than 0.001 may help. Else check its parameters and its inputs.");
}

TEST_CASE("an output that is not finite is named, before one that is only large") {
  const auto plan = std::get<Plan>(make_plan(macrostep::tests::two_masses()));
  const auto& configuration = plan.configurations.front();
  const auto& coupling = plan.coupling(configuration);
  const auto& graph = plan.graph(configuration);
  std::vector<double> outputs(graph.output_count, 0);
  outputs[0] = 1e300;
  const auto large = why_diverged(coupling, graph, outputs);
  CHECK(large.starts_with("an output grew beyond 10000 times its nominal value ("));
  CHECK(is_beyond_nominal(large));
  outputs.back() = std::nan("");
  CHECK(why_diverged(coupling, graph, outputs) == output_names(coupling).back() + " became NaN");
  outputs.back() = -INFINITY;
  const auto infinite = why_diverged(coupling, graph, outputs);
  CHECK(infinite == output_names(coupling).back() + " became infinite");
  CHECK_FALSE(is_beyond_nominal(infinite));
}

TEST_CASE("an answer from a grid that had to be halved says so") {
  auto job = macrostep::tests::two_masses();
  const auto halved_in = [&](double first_s) {
    job.macro_step = {.initial_s = first_s, .increment_s = first_s, .maximum_s = 0.2};
    const auto recommendation =
        run_search(std::get<Plan>(make_plan(job)), {}).answer.recommendation;
    REQUIRE(recommendation);
    const auto found =
        std::ranges::find(recommendation->notices, NoticeCode::scan_halved, &Notice::code);
    const bool is_told = found != recommendation->notices.end();
    CHECK(has_notice(recommendation->notices, NoticeCode::lower_scan) == is_told);
    return is_told ? found->subject : std::string();
  };
  CHECK(halved_in(1e-3).empty());
  CHECK(halved_in(0.02) == "step");
}

TEST_CASE("curves that cannot begin beside others that run are a warning") {
  const std::vector<Curve> curves{
      {.id = 0, .points = {{.macro_step_s = 1e-3, .macro_steps = 1000}}},
      {.id = 1,
       .points = {{.macro_step_s = 1e-3,
                   .status = TrialStatus::fmu_error,
                   .reason = "the guid differs"}}}};
  CHECK(
      failed_curves_warning(curves) ==
      std::vector<Notice>{{.code = NoticeCode::trials_never_begin,
                           .numbers = {{"curves", 1}, {"curves_in_all", 2}},
                           .detail = "at H = 1 ms the trial failed in an FMU: the guid differs"}});
  CHECK_FALSE(nothing_ran(curves));
  auto beside_unsupported = curves;
  beside_unsupported[0].flags = {"unsupported"};
  CHECK(nothing_ran(beside_unsupported));
  CHECK(failed_curves(beside_unsupported)->all);
}
