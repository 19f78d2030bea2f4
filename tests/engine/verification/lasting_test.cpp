// What a few tests and jumps do not reach: stops beyond them, and what changes within a session.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "engine/base/random.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "engine/search/run_search.hpp"
#include "engine/verification/comparisons.hpp"
#include "engine/verification/probes/linearity.hpp"
#include "engine/verification/run_checks.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/engine/verification/one_thread.hpp"
#include "tests/made_backends.hpp"

using namespace macrostep::engine;
using macrostep::tests::has_notice;
using macrostep::tests::number_of;
using macrostep::tests::one_thread;
using macrostep::tests::planned;
using macrostep::tests::slow_decay;
using macrostep::tests::TrialsBy;
using macrostep::tests::two_masses;

namespace {

/// Linear masses, the second of which meets a stop at 9 m: the tests of 2 s do not get there.
Job far_stop() {
  Job job = find_built_in("nonlinear_oscillator")->default_job;
  for (const std::string mass : {"m1", "m2"}) {
    job.parameters[mass + ".k"] = 100;
    job.parameters[mass + ".n_s"] = 1;
    job.parameters[mass + ".n_d"] = 1;
    job.parameters[mass + ".v0"] = 10;
  }
  job.parameters["m1.c"] = 1;
  job.parameters["m2.c"] = 0.3;
  job.parameters["m2.x_stop"] = 9;
  job.parameters["m2.k_stop"] = 3000;
  job.parameters["coupling.k_c"] = 100;
  job.parameters["coupling.n_s"] = 1;
  job.parameters["coupling.n_d"] = 1;
  job.parameters["coupling.c_c"] = 0.1;
  job.space.couplings = {"force_displacement"};
  job.space.extrapolation = {Extrapolation::order_0};
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 2},
               {.name = "ramp", .kind = TestKind::ramp, .duration_s = 2}};
  return job;
}

/// A force on m2 that switches between the ends of its range at random times.
TestInput switching(std::uint64_t seed) {
  Random random(seed, 0);
  auto record = std::make_shared<macrostep::models::Record>();
  for (double time_s = 0; time_s < 60; time_s += random.uniform(0.1, 0.5)) {
    record->time_s.push_back(time_s);
    record->value.push_back(random.uniform(-1, 1) > 0 ? 500 : -500);
  }
  record->linear = false;
  TestInput input{.name = "switching", .kind = TestKind::recorded, .duration_s = 60};
  input.inputs = {"m2.f_ext"};
  input.record = record;
  return input;
}

bool completes(const Plan& plan, const TestInput& input, double macro_step_s) {
  return run_trial(plan, {.configuration = &plan.configurations[0],
                          .test = &input,
                          .macro_step_s = macro_step_s})
             .status == TrialStatus::complete;
}

}  // namespace

TEST_CASE("where a lasting input shows a stop, no linear model of jumps tells what is stable") {
  const auto plan = planned(far_stop());
  RunChecks checks(plan, performed_by(plan, one_thread));
  const auto rule = check_rule(plan.job);
  constexpr double beyond_s = 0.0116;  // the linear masses alone are stable up to there

  const auto cheap = checks.check({.growth = true}, 0, beyond_s);
  CHECK(cheap.passes());
  CHECK(cheap.evidence() == Evidence::growth);
  const auto whole = checks.check(rule, 0, beyond_s);
  CHECK_FALSE(whole.passes());
  CHECK_FALSE(whole.is_linear);
  CHECK(has_notice(whole.outcomes.front().findings, NoticeCode::lasting_input_not_linear));

  const auto best = run_search(plan, {}).answer.recommendation;
  REQUIRE(best);
  CHECK(best->macro_step_s < beyond_s);
  int diverged = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto input = switching(seed);
    CAPTURE(seed);
    CHECK(completes(plan, input, best->macro_step_s));
    diverged += completes(plan, input, beyond_s) ? 0 : 1;
  }
  CHECK(diverged > 0);
}

TEST_CASE("a shaft that nothing holds is linear as far as lasting inputs keep it within bounds") {
  Job job = two_masses();
  auto& first = job.own_problem->subsystems[0].state_space;
  first.a = Eigen::Matrix2d{{0, 1}, {-100, -0.1}};
  first.b = Eigen::MatrixXd{{0, 0, 0}, {100, 1, 0.1}};
  first.c = Eigen::MatrixXd{{100, 0.1}};
  first.d = Eigen::MatrixXd{{-100, 0, -0.1}};
  auto& second = job.own_problem->subsystems[1].state_space;
  second.a = Eigen::Matrix2d{{0, 1}, {0, 0}};
  second.x0 = Eigen::Vector2d::Zero();
  first.x0 = Eigen::Vector2d::Zero();
  second.outputs[0].nominal = 1.5e-4;
  job.space.extrapolation = {Extrapolation::order_1};
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 2}};
  const auto plan = planned(job);
  constexpr double macro_step_s = 2e-3;
  const auto& lasting = plan.check_inputs.lasting.front();
  REQUIRE(std::ranges::none_of(
      lasting, [&](const TestInput& input) { return completes(plan, input, macro_step_s); }));
  const auto linearity = probe_linearity(plan, 0, macro_step_s, one_thread);
  CHECK(linearity.compared > 0);
  CHECK(linearity.is_linear());

  // Runs that end before a test would tell nothing.
  const TrialsBy short_lived([](const Plan& of, TrialSettings run) {
    run.until_s = 1.0;
    auto result = run_trial(of, run);
    result.status = TrialStatus::diverged;
    return result;
  });
  CHECK(probe_linearity(plan, 0, macro_step_s, {.backend = short_lived, .threads = 1}).compared ==
        0);
}

TEST_CASE("a subsystem that changes within a session is seen by the run over it") {
  const auto plan = planned(slow_decay());
  constexpr std::size_t second_order = 2;
  constexpr double macro_step_s = 0.03;
  const auto rule = check_rule(plan.job);
  {
    RunChecks checks(plan, performed_by(plan, one_thread));
    const auto checked = checks.check(rule, second_order, macro_step_s);
    REQUIRE(checked.passes());
    const auto& findings = checked.outcomes.front().findings;
    const auto found = std::ranges::find(findings, NoticeCode::session_completed, &Notice::code);
    REQUIRE(found != findings.end());
    CHECK(number_of(*found, "until_s") == number_of(*found, "session_s"));
    CHECK(number_of(*found, "until_s") > 300);
  }
  // As before, but something wears out after 100 s with all but small macro-steps.
  const TrialsBy wearing([](const Plan& of, const TrialSettings& run) {
    return run.macro_step_s > 0.01 && duration_of(run) > 100
               ? TrialResult{.status = TrialStatus::diverged, .reason = "m2.x became NaN"}
               : run_trial(of, run);
  });
  RunChecks checks(plan, performed_by(plan, {.backend = wearing, .threads = 1}));
  const auto checked = checks.check(rule, second_order, macro_step_s);
  REQUIRE_FALSE(checked.passes());
  const auto& findings = checked.outcomes.back().findings;
  REQUIRE(has_notice(findings, NoticeCode::incomplete_where_smaller_completes));
  CHECK(checked.outcomes.back().check == "growth");
  CHECK(findings.front().subject.ends_with("over a session"));
}

TEST_CASE(
    "pendula that nearly go over the top swing too far under few of many inputs of switching") {
  Job job = find_built_in("coupled_pendula")->default_job;
  job.parameters = {{"m1.m", 0.5249900607485786},        {"m1.l", 1.8089437432083757},
                    {"m1.theta", 0.5223578232410586},    {"m2.m", 1.7935540082255113},
                    {"m2.l", 2.45700181374698},          {"m2.theta", 0.6073944817892527},
                    {"coupling.k_c", 214.6013342952832}, {"coupling.c_c", 0.12166976508421094}};
  job.space.couplings = {"displacement_displacement"};
  job.space.extrapolation = {Extrapolation::order_1};
  const std::vector integrators{macrostep::models::Integrator::al_symplectic_euler};
  job.space.integrators = {{"m1", integrators}, {"m2", integrators}};
  const auto plan = planned(job);
  REQUIRE(plan.configurations.size() == 1);
  Comparisons comparisons(plan, performed_by(plan, one_thread));
  double cost = 0;
  // Under switching that the search has not seen m1.y swings twice as far with 44 ms.
  const auto swing = comparisons.compare_long({0, 1.25 * 0.0444089209850063}, 2, cost);
  CHECK(swing.verdict == Verdict::objects);
  REQUIRE_FALSE(swing.findings.empty());
  CAPTURE(swing.findings.front().subject);
  CHECK(swing.findings.front().subject.starts_with("switching "));
  CHECK(swing.value.value_or(0) > 2);
}

namespace {

/// Runs of more than `worn_s` with a larger macro-step than `largest_s` end there with this status.
TrialsBy wearing(double worn_s, double largest_s, TrialStatus status = TrialStatus::diverged) {
  return TrialsBy([=](const Plan& of, const TrialSettings& run) {
    return run.macro_step_s > largest_s && duration_of(run) > worn_s
               ? TrialResult{.status = status, .reason = "it wears out", .final_time_s = worn_s}
               : run_trial(of, run);
  });
}

constexpr std::size_t second_order = 2;

}  // namespace

TEST_CASE("a run over a session that ends is held against one with a really small macro-step") {
  const auto plan = planned(slow_decay());
  const double first_s = plan.job.macro_step.initial_s;
  constexpr double macro_step_s = 0.03;
  REQUIRE(first_s < macro_step_s / 8);
  const auto check = [&](const TrialsBy& backend) {
    RunChecks checks(plan, performed_by(plan, {.backend = backend, .threads = 1}));
    return checks.check(check_rule(plan.job), second_order, macro_step_s);
  };
  SUBCASE("which goes on where a quarter ends, too") {
    const auto checked = check(wearing(150, macro_step_s / 8));
    REQUIRE_FALSE(checked.passes());
    CHECK(has_notice(checked.outcomes.back().findings,
                     NoticeCode::incomplete_where_smaller_completes));
  }
  SUBCASE("or one with as many macro-steps as it may have, where the first of the scan ends") {
    REQUIRE(first_s > 5e-4);
    CHECK_FALSE(check(wearing(150, 5e-4)).passes());
  }
  SUBCASE("which ends as well: then nothing is known of the growth, and swings decide") {
    const auto checked = check(wearing(150, 0));
    CHECK(checked.passes());
    CHECK(checked.evidence() < Evidence::growth);
    REQUIRE(checked.outcomes.size() == 2);
    CHECK(checked.outcomes[0].verdict == Verdict::unknown);
    CHECK(has_notice(checked.outcomes[0].findings, NoticeCode::incomplete_with_smaller_too));
    CHECK(checked.outcomes[1].check == "swing");
  }
  SUBCASE("but for one that takes too long") {
    const auto checked = check(wearing(150, macro_step_s / 8, TrialStatus::timed_out));
    CHECK(checked.passes());
    CHECK(checked.outcomes[0].verdict == Verdict::unknown);
  }
}

TEST_CASE("where a run over a session has ended, one with a smaller macro-step goes beyond") {
  const auto plan = planned(slow_decay());
  const auto backend = wearing(250, 6e-4);
  RunChecks checks(plan, performed_by(plan, {.backend = backend, .threads = 1}));
  const auto rule = check_rule(plan.job);
  // 300 000 macro-steps are 231 s with 1.1 times this.
  constexpr double small_s = 7e-4;
  const auto before = checks.check(rule, second_order, small_s);
  CHECK(before.evidence() == Evidence::growth);
  CHECK_FALSE(checks.check(rule, second_order, 0.002).passes());
  CHECK_FALSE(checks.check(rule, second_order, small_s).passes());
}

TEST_CASE("a lasting input that drives the problem out of its bounds rejects no macro-step") {
  const auto plan = planned(slow_decay());
  constexpr double macro_step_s = 0.03;
  constexpr double end_s = 49;
  // `longer`: how a run with the smallest macro-step ends that lasts little longer than that.
  const auto check = [&](const TrialResult& longer) {
    const PerformTasks perform = [&](const std::vector<Task>& tasks) {
      std::vector<TaskResult> results;
      for (const auto& task : tasks) {
        if (const auto* refined = std::get_if<RefineTask>(&task)) {
          results.push_back(
              Refinement{.test = driver_of(plan, refined->run).name, .reason = "diverged: beyond"});
          continue;
        }
        const auto& run = std::get<RunTask>(task).run;
        results.push_back(
            run.macro_step_s == macro_step_s
                ? TrialResult{.status = TrialStatus::diverged,
                              .reason = "an output grew beyond 10000 times its nominal value",
                              .final_time_s = end_s}
            : run.until_s && *run.until_s < 1.2 * end_s ? longer
                                                        : TrialResult{});
      }
      return results;
    };
    Completion completion(plan, perform);
    Comparisons comparisons(plan, perform);
    double cost = 0;
    const CheckedStep run(second_order, macro_step_s);
    const auto verdict = completion.of_lasting(run, cost).verdict;
    CHECK(comparisons.compare_long(run, 2, cost).verdict == verdict);
    return verdict;
  };
  CHECK(check({}) == Verdict::objects);
  CHECK(check({.status = TrialStatus::fmu_error, .reason = "it is over"}) == Verdict::objects);
  CHECK(check({.status = TrialStatus::diverged,
               .reason = "an output grew beyond 10000 times its nominal value"}) ==
        Verdict::unknown);  // of none is anything known
}

TEST_CASE("where a run over a session ends without a verdict, smaller ones go beyond, too") {
  const auto plan = planned(slow_decay());
  constexpr double small_s = 7e-4;
  // Above 2e-4 s runs wear out, and so do the smallest of those with large macro-steps.
  const auto backend = wearing(250, 2e-4);
  RunChecks checks(plan, performed_by(plan, {.backend = backend, .threads = 1}));
  const auto rule = check_rule(plan.job);
  CHECK(checks.check(rule, second_order, small_s).evidence() == Evidence::growth);
  CHECK(checks.check(rule, second_order, 0.02).evidence() < Evidence::growth);
  CHECK(checks.check(rule, second_order, small_s).evidence() < Evidence::growth);
}

TEST_CASE("growth has no verdict where nothing is known of lasting inputs") {
  const auto plan = planned(slow_decay());
  constexpr double macro_step_s = 0.03;
  const auto here = performed_by(plan, one_thread);
  auto rule = check_rule(plan.job);
  rule.states = false;
  rule.ends_at_unknown = true;
  const auto check = [&](const PerformTasks& perform) {
    RunChecks checks(plan, perform);
    const auto checked = checks.check(rule, second_order, macro_step_s);
    CHECK(checked.passes());
    return checked.outcomes.front();
  };
  SUBCASE("as their halves were lost") {
    const auto growth = check([&](std::vector<Task> tasks) {
      return std::holds_alternative<LinearityTask>(tasks.front())
                 ? not_performed(tasks, TrialStatus::crashed, "lost")
                 : here(std::move(tasks));
    });
    CHECK(growth.verdict == Verdict::unknown);
    REQUIRE(has_notice(growth.findings, NoticeCode::probe_without_result));
    CHECK(growth.findings.front().detail == "lost");
  }
  SUBCASE("as no run completes them, with whatever macro-step") {
    const auto growth = check([&](const std::vector<Task>& tasks) {
      auto results = here(tasks);
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        const auto* run = std::get_if<RunTask>(&tasks[i]);
        if (run && plan.input(run->run.input)->name.starts_with("lasting ")) {
          results[i] = TrialResult{.status = TrialStatus::diverged, .reason = "m2.x became NaN"};
        }
      }
      return results;
    });
    CHECK(growth.verdict == Verdict::unknown);
    CHECK(growth.left_out == plan.check_inputs.lasting.front().size());
    CHECK(has_notice(growth.findings, NoticeCode::incomplete_with_smaller_too));
  }
}
