#include "engine/verification/run_checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "engine/recommendation/answer_notices.hpp"
#include "engine/search/run_search.hpp"
#include "engine/study/draw_problem.hpp"
#include "engine/verification/tasks.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/engine/verification/one_thread.hpp"
#include "tests/made_backends.hpp"

using namespace macrostep::engine;
using macrostep::tests::codes_of;
using macrostep::tests::found_notice;
using macrostep::tests::has_notice;
using macrostep::tests::limit_of;
using macrostep::tests::number_of;
using macrostep::tests::one_thread;
using macrostep::tests::planned;

namespace {

const CheckOutcome& outcome_of(const CheckedRun& run, std::string_view check) {
  const auto found = std::ranges::find(run.outcomes, check, &CheckOutcome::check);
  REQUIRE(found != run.outcomes.end());
  return *found;
}

Eigen::MatrixXd without_column(const Eigen::MatrixXd& matrix, Eigen::Index column) {
  Eigen::MatrixXd result(matrix.rows(), matrix.cols() - 1);
  result << matrix.leftCols(column), matrix.rightCols(matrix.cols() - 1 - column);
  return result;
}

}  // namespace

TEST_CASE("growth objects beyond the limit, and has no verdict of a problem that grows by itself" *
          doctest::test_suite("slow")) {
  const auto problem = make_study_problem(1, 3);
  const auto plan = planned(problem.job);
  const CheckRule rule{.growth = true};
  RunChecks checks(plan, performed_by(plan, one_thread));
  std::size_t judged = 0;
  for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
    const double limit_s = macrostep::tests::limit_of(plan, c);
    if (limit_s < plan.job.macro_step.maximum_s) {
      ++judged;  // each is asked with a margin of a tenth
      CHECK_FALSE(checks.check(rule, c, 0.95 * limit_s).passes());
      CHECK(checks.check(rule, c, 0.88 * limit_s).passes());
    }
  }
  CHECK(judged > 0);

  auto growing = problem.job;
  for (auto& subsystem : growing.own_problem->subsystems) {
    auto& a = subsystem.state_space.a;
    a(1, 1) = 1e-3 * std::sqrt(std::abs(a(1, 0)));  // damping that drives
  }
  const auto growing_plan = planned(growing);
  RunChecks of_growing(growing_plan, performed_by(growing_plan, one_thread));
  const auto run = of_growing.check(rule, 1, growing.macro_step.initial_s);
  const auto& outcome = outcome_of(run, "growth");
  CHECK(outcome.verdict == Verdict::unknown);
  CHECK(has_notice(outcome.findings, NoticeCode::grows_with_quarter_too));
  CHECK(outcome.grows_by_itself);
  // How far it swings within a test says nothing of a session then.
  CHECK_FALSE(tells_stable(std::vector{
      outcome, CheckOutcome{.check = "swing", .verdict = Verdict::agrees, .findings = {}}}));
}

TEST_CASE("what grows at H itself or a little below fails, though it does not with the margin") {
  const auto plan = planned(make_study_problem(1, 3).job);
  const double macro_step_s = 20 * plan.job.macro_step.initial_s;
  double grows_from_s = 0;
  double grows_up_to_s = 0;
  const auto perform = [&](const std::vector<Task>& tasks) {
    std::vector<TaskResult> results;
    for (const auto& task : tasks) {
      const auto& probe = std::get<ProbeTask>(task);
      const bool grows = probe.finer == 1 && probe.macro_step_s >= grows_from_s &&
                         probe.macro_step_s <= grows_up_to_s;
      results.emplace_back(
          ProbedGrowth{.verdict = grows ? GrowthVerdict::growing : GrowthVerdict::stable,
                       .macro_step_s = probe.macro_step_s,
                       .motions = {{.rate_per_s = grows ? 1.0 : -1.0, .turn_rad_s = 50}},
                       .session_s = 100});
    }
    return results;
  };
  const auto passes = [&](double from_s, double up_to_s) {
    grows_from_s = from_s;
    grows_up_to_s = up_to_s;
    RunChecks checks(plan, perform);
    return checks.check({.growth = true}, 0, macro_step_s).passes();
  };
  CHECK(passes(0, 0));
  CHECK_FALSE(passes(0.99 * macro_step_s, 1.01 * macro_step_s));
  CHECK_FALSE(passes(0.5 * macro_step_s, 0.7 * macro_step_s));  // wider than the grid of H below
  CHECK_FALSE(passes(1.05 * macro_step_s, 1.15 * macro_step_s));
  CHECK(passes(1.2 * macro_step_s, 2 * macro_step_s));
}

TEST_CASE("a mass that nothing holds may leave every bound") {
  // Two masses on a damped spring, free to go: a force moves them on by 0.25 m/s² t², beyond 10 000
  // times the nominal value within the test.
  auto job = macrostep::tests::two_masses();
  auto& first = job.own_problem->subsystems[0].state_space;
  first.a = Eigen::Matrix2d{{0, 1}, {-100, -1}};
  first.b = Eigen::Matrix<double, 2, 3>{{0, 0, 0}, {100, 1, 1}};
  first.c = Eigen::MatrixXd{{100, 1}};
  first.d = Eigen::MatrixXd{{-100, 0, -1}};
  auto& second = job.own_problem->subsystems[1].state_space;
  second.a(1, 0) = 0;
  for (auto& output : second.outputs) {
    output.nominal = 1e-4;
  }
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 10}};
  job.space.extrapolation = {Extrapolation::order_1};
  const auto plan = planned(job);
  RunChecks checks(plan, performed_by(plan, one_thread));
  const auto growth = [&](double macro_step_s) {
    return outcome_of(checks.check({.growth = true}, 0, macro_step_s), "growth");
  };
  const double limit_s = macrostep::tests::limit_of(plan, 0);
  const auto below = growth(0.5 * limit_s);
  CHECK(below.verdict == Verdict::unknown);
  CHECK(found_notice(below.findings, NoticeCode::jump_incomplete_with_smaller_too)
            .detail.starts_with("diverged: "));
  // Far beyond the limit it ends much sooner than the problem.
  CHECK(growth(2 * limit_s).verdict == Verdict::objects);
}

TEST_CASE("the change tells the error of a run, and is asked where growth has no verdict") {
  const auto problem = make_study_problem(1, 12);  // pendula, which are not linear
  const auto plan = planned(problem.job);
  RunChecks checks(plan, performed_by(plan, one_thread));
  const CheckRule rule{.growth = true, .change_where_unknown = 0.5, .random_inputs = false};
  const double fine_s = plan.job.macro_step.initial_s;
  const auto fine = checks.check(rule, 1, fine_s);
  CHECK(outcome_of(fine, "growth").verdict == Verdict::unknown);
  const auto& change = outcome_of(fine, "change");
  CHECK(change.verdict == Verdict::agrees);
  // First-order extrapolation: the error falls by at least 4 with a quarter of H.
  const auto error = error_in_tests(plan, 1, fine_s, performed_by(plan, one_thread));
  REQUIRE(error.nrmse);
  CHECK(*change.value == doctest::Approx(*error.nrmse).epsilon(0.3));
  CHECK(fine.passes());
  const auto strict =
      checks.check({.change = *change.value / 2, .random_inputs = false}, 1, fine_s);
  CHECK_FALSE(strict.passes());
}

TEST_CASE("where growth has no verdict a larger macro-step is compared with a quarter of it" *
          doctest::test_suite("slow")) {
  const auto plan = planned(make_study_problem(1, 4).job);
  RunChecks checks(plan, performed_by(plan, one_thread));
  const double macro_step_s = plan.job.macro_step.initial_s;
  CheckRule rule{.growth = true, .swing_where_unknown = 2};
  const auto wider = checks.check(rule, 1, 1.25 * macro_step_s);
  rule.margin = 1.25;
  const auto checked = checks.check(rule, 1, macro_step_s);
  const auto& swing = outcome_of(checked, "swing");
  REQUIRE(swing.value);
  CHECK(swing.value == outcome_of(wider, "swing").value);
  CHECK(number_of(swing.findings.front(), "macro_step_s") == 1.25 * macro_step_s);
  CHECK(check_rule(plan.job).margin == 1.25);

  // The rule of a search wants no more of a problem whose growth is known.
  const auto linear = planned(make_study_problem(1, 0).job);
  RunChecks of_linear(linear, performed_by(linear, one_thread));
  const auto known = of_linear.check(check_rule(linear.job), 0, linear.job.macro_step.initial_s);
  REQUIRE(known.outcomes.size() == 1);
  CHECK(known.outcomes.front().verdict == Verdict::agrees);
}

TEST_CASE("under unseen inputs a run is held against the monolithic solution") {
  const auto plan = planned(make_study_problem(1, 12).job);
  RunChecks checks(plan, performed_by(plan, one_thread));
  const double fine_s = plan.job.macro_step.initial_s;
  const auto checked = checks.check({.unseen = 1}, 1, fine_s);
  const auto& outcome = outcome_of(checked, "unseen");
  CHECK(outcome.verdict == Verdict::agrees);
  CHECK(found_notice(outcome.findings, NoticeCode::compared_with_solution)
            .subject.starts_with("unseen "));
  CHECK_FALSE(checks.check({.unseen = *outcome.value / 2}, 1, fine_s).passes());
}

TEST_CASE("random inputs that no run follows go over less of their range, or say nothing" *
          doctest::test_suite("slow")) {
  const auto plan = planned(make_study_problem(1, 12).job);
  const double fine_s = plan.job.macro_step.initial_s;
  const CheckRule rule{.growth = true, .swing_where_unknown = 2};
  const auto has = [](const std::string& name, const char* part) {
    return name.find(part) != std::string::npos;
  };
  const auto swing_where_random_runs_end = [&](const auto& ends) {
    const macrostep::tests::TrialsBy ending([&](const Plan& of, const TrialSettings& run) {
      const auto& name = run.test->name;
      if (has(name, "random ") && ends(name)) {
        return TrialResult{.status = TrialStatus::diverged, .reason = "as in chaos"};
      }
      return run_trial(of, run);
    });
    RunChecks checks(plan, performed_by(plan, {.backend = ending, .threads = 1}));
    return outcome_of(checks.check(rule, 1, fine_s), "swing");
  };
  const auto quarter =
      swing_where_random_runs_end([&](const std::string& name) { return !has(name, "× 0.25"); });
  CHECK(quarter.verdict == Verdict::agrees);
  REQUIRE(quarter.value);
  CHECK_FALSE(has_notice(quarter.findings, NoticeCode::random_inputs_left_out));

  const auto most =
      swing_where_random_runs_end([&](const std::string& name) { return has(name, "joystick"); });
  CHECK(most.verdict == Verdict::agrees);
  CHECK(most.left_out > 0);
  CHECK_FALSE(most.most_left_out);
  CHECK(has_notice(most.findings, NoticeCode::random_inputs_left_out));

  const auto few =
      swing_where_random_runs_end([&](const std::string& name) { return !has(name, "joystick"); });
  CHECK(few.verdict == Verdict::unknown);
  CHECK(few.most_left_out);
  CHECK(has_notice(few.findings, NoticeCode::random_inputs_left_out));

  const auto none = swing_where_random_runs_end([](const std::string&) { return true; });
  CHECK(none.verdict == Verdict::unknown);
  CHECK(none.value);  // of the tests
  CHECK(none.left_out > 0);
  CHECK(number_of(found_notice(none.findings, NoticeCode::random_inputs_left_out), "followed") ==
        0);
}

TEST_CASE("a random input that another configuration follows rejects what cannot follow it" *
          doctest::test_suite("slow")) {
  auto job = make_study_problem(1, 12).job;
  job.space.corrections = {Correction::none, Correction::nepce};
  const auto plan = planned(job);
  const auto of_correction = [&](Correction correction) {
    return static_cast<std::size_t>(
        std::ranges::find(plan.configurations, correction, &Configuration::correction) -
        plan.configurations.begin());
  };
  const auto failing = of_correction(Correction::nepce);
  const macrostep::tests::TrialsBy backend([](const Plan& of, const TrialSettings& run) {
    const bool fails = run.configuration->correction == Correction::nepce &&
                       run.test->name.starts_with("random prbs");
    return fails ? TrialResult{.status = TrialStatus::diverged, .reason = "it was told to"}
                 : run_trial(of, run);
  });
  RunChecks checks(plan, performed_by(plan, {.backend = backend, .threads = 1}));
  const double fine_s = plan.job.macro_step.initial_s;
  const auto swing = [&](std::size_t configuration) {
    return outcome_of(
        checks.check({.growth = true, .swing_where_unknown = 2}, configuration, fine_s), "swing");
  };
  const auto rejected = swing(failing);
  CHECK(rejected.verdict == Verdict::objects);
  CHECK(found_notice(rejected.findings, NoticeCode::input_not_followed).subject == "random prbs");
  CHECK(found_notice(rejected.findings, NoticeCode::input_followed_by)
            .subject.starts_with("(extrapolation "));
  CHECK(swing(of_correction(Correction::none)).verdict == Verdict::agrees);

  // What nobody follows rejects nobody.
  job.space.corrections = {Correction::nepce};
  const auto alone = planned(job);
  RunChecks of_alone(alone, performed_by(alone, {.backend = backend, .threads = 1}));
  const auto left_out =
      outcome_of(of_alone.check({.growth = true, .swing_where_unknown = 2}, 0, fine_s), "swing");
  CHECK(left_out.verdict == Verdict::agrees);
  CHECK(left_out.left_out > 0);
}

TEST_CASE("whether any run follows an input is never asked of the run itself") {
  auto job = make_study_problem(1, 12).job;
  const double macro_step_s = job.macro_step.initial_s;
  job.macro_step.initial_s = 2 * macro_step_s;  // as where a scan has halved it
  const auto plan = planned(job);
  const macrostep::tests::TrialsBy ending([&](const Plan& of, const TrialSettings& run) {
    const bool is_random = run.test->name.find("random ") != std::string::npos;
    if (is_random && run.macro_step_s > 0.9 * macro_step_s) {
      return TrialResult{.status = TrialStatus::diverged, .reason = "too large"};
    }
    return run_trial(of, run);
  });
  RunChecks checks(plan, performed_by(plan, {.backend = ending, .threads = 1}));
  const auto run = checks.check(check_rule(job), 1, macro_step_s);
  CHECK_FALSE(run.passes());
  CHECK(outcome_of(run, "swing").verdict == Verdict::objects);
}

TEST_CASE("what nothing moves is not taken for stable, and has no confidence" *
          doctest::test_suite("slow")) {
  auto job = make_study_problem(1, 0).job;
  job.stability_check = StabilityCheck::identified;  // the exact analysis sees what stands still
  auto& own = *job.own_problem;
  const auto driven = own;
  const auto second = [](PortName port) {
    port.subsystem += "_2";
    return port;
  };
  for (auto subsystem : driven.subsystems) {
    auto& model = subsystem.state_space;
    for (std::size_t i = model.inputs.size(); i-- > 0;) {
      const PortName port{subsystem.name, model.inputs[i].name};
      if (std::ranges::find(driven.external_inputs, port, &ExternalInput::to) !=
          driven.external_inputs.end()) {
        model.inputs.erase(model.inputs.begin() + static_cast<std::ptrdiff_t>(i));
        model.b = without_column(model.b, static_cast<Eigen::Index>(i));
        model.d = without_column(model.d, static_cast<Eigen::Index>(i));
      }
    }
    subsystem.name += "_2";
    model.x0.setZero();
    model.c.setZero();  // nothing shows of it, not even where what it is given is disturbed
    model.d.setZero();
    job.space.integrators[subsystem.name] = {macrostep::models::Integrator::exact};
    own.subsystems.push_back(std::move(subsystem));
  }
  for (auto connection : driven.connections) {
    connection.from = second(connection.from);
    connection.to = second(connection.to);
    own.connections.push_back(std::move(connection));
  }
  job.substeps.clear();
  job.space.extrapolation = {Extrapolation::order_0};
  const auto plan = planned(job);
  RunChecks checks(plan, performed_by(plan, one_thread));
  const auto run = checks.check(check_rule(job), 0, job.macro_step.initial_s);
  CHECK(run.passes());
  const auto& growth = outcome_of(run, "growth");
  CHECK(growth.verdict == Verdict::unknown);
  CHECK(found_notice(growth.findings, NoticeCode::outputs_not_moved).subject.find("_2.") !=
        std::string::npos);
  const auto& swing = outcome_of(run, "swing");
  CHECK(swing.verdict == Verdict::unknown);
  CHECK(has_notice(swing.findings, NoticeCode::outputs_not_moved));
  const auto answer = run_search(plan, {.threads = 1}).answer.recommendation;
  REQUIRE(answer);
  CHECK_FALSE(answer->confidence);
  CHECK(answer->notices.front().code == NoticeCode::stability_unknown);
  CHECK_FALSE(answer->growth);  // what is known exactly is not told where runs alone are asked for
}

TEST_CASE("where nothing can check the stability a warning says so") {
  const auto codes = [](StabilityCheck check, std::uint64_t number) {
    auto job = make_study_problem(1, number).job;
    job.stability_check = check;
    const auto plan = planned(job);
    Recommendation answer;
    answer.macro_step_s = job.macro_step.initial_s;
    return codes_of(unchecked_warning(plan, answer));
  };
  CHECK(codes(StabilityCheck::none, 0) == std::vector{NoticeCode::nothing_verified});
  CHECK(codes(StabilityCheck::exact, 0).empty());
  CHECK(codes(StabilityCheck::exact, 12) ==
        std::vector{NoticeCode::exact_check_needs_linear_problem});
  CHECK(codes(StabilityCheck::all, 12).empty());
}

TEST_CASE("inputs of checks have names of their own") {
  auto job = make_study_problem(1, 3).job;
  job.tests.front().name = "random prbs";
  const auto plan = planned(job);
  std::set<std::string> names;
  for (const auto* input : plan.inputs()) {
    CHECK(names.insert(input->name).second);
  }
  CHECK(names.size() > job.tests.size() + 5);
}

TEST_CASE("what holds around all states and is thrown off its stop ends under random inputs") {
  // Around the states of the tests no motion grows with 1.25 H. Hit hard enough the stop, 24 times
  // as stiff as its spring, throws the mass farther each time.
  auto job = find_built_in("nonlinear_oscillator")->default_job;
  job.parameters = {{"m1.m", 0.736},      {"m2.m", 4.742},         {"m1.k", 80.5},
                    {"m2.k", 404.88},     {"coupling.k_c", 24.83}, {"m1.x0", 0},
                    {"m2.x0", 0},         {"m1.v0", -1.248},       {"m2.v0", -1.498},
                    {"m1.n_s", 1},        {"m1.n_d", 1},           {"m2.n_s", 1},
                    {"m2.n_d", 1},        {"coupling.n_s", 1},     {"coupling.n_d", 1},
                    {"m1.c", 0.06416},    {"m2.c", 0.3519},        {"coupling.c_c", 0.1762},
                    {"m1.x_stop", 2.786}, {"m1.k_stop", 1897.6},   {"m1.lambda_stop", 0.064}};
  job.space.couplings = {"displacement_displacement"};
  job.space.extrapolation = {Extrapolation::order_0};
  job.accuracy.reset();
  const auto plan = planned(job);
  RunChecks checks(plan, performed_by(plan, one_thread));
  const auto rule = check_rule(plan.job);
  const double macro_step_s = 0.0113686837722;
  auto around_states = rule;
  around_states.swing_where_unknown.reset();
  CHECK(agrees(checks.check(around_states, 0, macro_step_s).outcomes, "growth"));
  const auto ended = checks.check(rule, 0, macro_step_s);
  CHECK(!ended.passes());
  CHECK(ended.outcomes.back().check == "swing");
  CHECK(checks.check(rule, 0, 0.6 * macro_step_s).passes());
}
