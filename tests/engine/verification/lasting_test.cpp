// What a few tests and jumps do not reach: stops beyond them, and what changes within a session.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "engine/base/random.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "engine/search/run_search.hpp"
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

TEST_CASE("growth has no verdict where nothing is known of lasting inputs") {
  const auto plan = planned(slow_decay());
  constexpr std::size_t second_order = 2;
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
    CHECK(has_notice(growth.findings, NoticeCode::probe_without_result));
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
