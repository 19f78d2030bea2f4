#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/reference/true_error.hpp"
#include "engine/search/run_search.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/recommendation/paper_rule.hpp"
#include "tests/engine/search/fingerprint.hpp"

using namespace macrostep::engine;
using macrostep::tests::codes_of;
using macrostep::tests::fingerprint;
using macrostep::tests::number_of;
using macrostep::tests::planned;

namespace {
/// Two extrapolations and two short tests of the double crane: 16 curves, a fraction of a second.
Job small_job() {
  Job job = find_built_in("double_actuator_crane")->default_job;
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_2};
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 0.1},
               {.name = "impulse", .kind = TestKind::impulse, .duration_s = 0.1, .width_s = 0.04}};
  return job;
}

/// The small job where the checks of its answer are not what is asked: they take most of its time.
Job unchecked_job() {
  Job job = small_job();
  job.stability_check = StabilityCheck::none;
  return job;
}

/// A copy of the plan whose trials run one by one.
Plan one_by_one(Plan plan) {
  for (auto& coupling : plan.problem.couplings) {
    for (auto& subsystem : coupling.subsystems) {
      subsystem.make_lanes = {};
      subsystem.description.can_roll_back = false;
    }
  }
  return plan;
}

}  // namespace

TEST_CASE("the cranes get the recommendations of an independent implementation") {
  // Independent numbers for the same equations and rule, in ms: double crane step, ramp and impulse
  // 1.8 with order 2; single crane ramp 2.4 and impulse 2.2, the smaller being the answer. One step
  // of the grid is 0.2 ms.
  SUBCASE("double") {
    const auto plan =
        planned(macrostep::tests::by_residual(find_built_in("double_actuator_crane")->default_job));
    const auto result = run_search(plan, {});
    for (std::size_t test = 0; test < 3; ++test) {
      const auto& row = result.answer.table[test];
      CHECK(row.macro_step_s == doctest::Approx(1.8e-3));
      CHECK(plan.configurations[row.configurations[0]].extrapolation == Extrapolation::order_2);
    }
    REQUIRE(result.answer.recommendation);
    CHECK(result.answer.recommendation->macro_step_s == doctest::Approx(1.8e-3));
    REQUIRE(result.answer.paper_rule);
    CHECK(result.answer.paper_rule->macro_step_s == doctest::Approx(1.8e-3));
  }
  SUBCASE("single") {
    const auto plan =
        planned(macrostep::tests::by_residual(find_built_in("single_actuator_crane")->default_job));
    const auto result = run_search(plan, {});
    const auto& step = result.answer.table[0];
    REQUIRE_FALSE(step.configurations.empty());
    const auto order_of_step = plan.configurations[step.configurations[0]].extrapolation;
    CHECK((order_of_step == Extrapolation::order_2 || order_of_step == Extrapolation::order_3));
    CHECK(result.answer.table[1].macro_step_s == doctest::Approx(2.4e-3));
    CHECK(result.answer.table[2].macro_step_s == doctest::Approx(2.2e-3));
    REQUIRE(result.answer.recommendation);
    CHECK(result.answer.recommendation->macro_step_s == doctest::Approx(2.2e-3));
  }
}

TEST_CASE("one and two threads find the same, bit for bit") {
  const auto plan = planned(small_job());
  const auto one = run_search(plan, {.threads = 1});
  const auto two = run_search(plan, {.threads = 2});
  CHECK(one.complete);
  CHECK(fingerprint(one) == fingerprint(two));
}

TEST_CASE("a search finds the same whether its trials run together or one by one" *
          doctest::test_suite("slow")) {
  const auto plan = planned(small_job());
  CHECK(fingerprint(run_search(plan, {.threads = 1})) ==
        fingerprint(run_search(one_by_one(plan), {.threads = 1})));
}

TEST_CASE("a search that was cut off goes on from what was stored and ends the same") {
  const auto plan = planned(unchecked_job());
  std::vector<TrialRecord> all;
  const auto whole = run_search(
      plan,
      {.threads = 1, .on_result = [&](const auto& record, const auto&) { all.push_back(record); }});
  for (const std::size_t kept : {std::size_t{1}, all.size() / 2, all.size() - 1}) {
    std::vector<TrialRecord> stored(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept));
    std::ranges::stable_sort(stored, {}, &TrialRecord::curve);
    std::size_t ran = 0;
    const auto resumed = run_search(
        plan,
        {.threads = 2, .on_result = [&](const auto&, const auto&) { ++ran; }, .stored = stored});
    CHECK(ran == all.size() - kept);
    CHECK(fingerprint(resumed) == fingerprint(whole));
  }
}

TEST_CASE("a search that goes on has counted all that was stored before its first trial") {
  const auto plan = planned(unchecked_job());
  std::vector<TrialRecord> stored;
  run_search(plan, {.threads = 1, .on_result = [&](const auto& record, const auto&) {
                      stored.push_back(record);
                    }});
  std::ranges::stable_sort(stored, {}, &TrialRecord::curve);
  const auto in_first_curve = std::ranges::count(stored, std::size_t{0}, &TrialRecord::curve);
  stored.erase(stored.begin(), stored.begin() + in_first_curve);
  double stored_cost = 0;
  for (const auto& record : stored) {
    stored_cost += record.result.cost;
  }
  double cost = stored_cost;
  std::size_t trials = stored.size();
  run_search(plan, {.threads = 1,
                    .on_result =
                        [&](const TrialRecord& record, const SearchProgress& progress) {
                          cost += record.result.cost;
                          CHECK(progress.cost_done == doctest::Approx(cost));
                          CHECK(progress.trials_done == ++trials);
                        },
                    .stored = stored});
  CHECK(cost > stored_cost);
}

TEST_CASE("a stopped search keeps the curves that were finished") {
  const auto plan = one_by_one(planned(small_job()));
  std::atomic<bool> stop = false;
  const auto result = run_search(
      plan, {.threads = 1,
             .on_result = [&](const auto&,
                              const SearchProgress& progress) { stop = progress.curves_done >= 1; },
             .stop = &stop});
  CHECK_FALSE(result.complete);
  CHECK(result.answer.curves.size() == 1);
  CHECK(result.answer.curves.size() < plan.curves.size());
  CHECK(codes_of(result.answer.reasons) == std::vector{NoticeCode::stopped_before_answer});
  CHECK(result.answer.table.back().flags == std::vector<std::string>{"not_finished"});
}

TEST_CASE("a search that is stopped in the middle of a group goes on without losing or doubling") {
  const auto plan = planned(unchecked_job());
  std::size_t trials = 0;
  const auto whole =
      run_search(plan, {.threads = 1, .on_result = [&](const auto&, const auto&) { ++trials; }});
  for (const std::size_t stop_after : {std::size_t{1}, trials / 3, trials - 1}) {
    CAPTURE(stop_after);
    std::atomic<bool> stop = false;
    std::vector<TrialRecord> kept;
    const auto keep = [&](const TrialRecord& record, const SearchProgress&) {
      kept.push_back(record);
      stop = stop || kept.size() == stop_after;
    };
    CHECK_FALSE(run_search(plan, {.threads = 1, .on_result = keep, .stop = &stop}).complete);
    CHECK(kept.size() >= stop_after);
    CHECK(kept.size() < trials);

    std::ranges::stable_sort(kept, {}, &TrialRecord::curve);
    const auto stored = kept;
    stop = false;
    const auto resumed =
        run_search(plan, {.threads = 2, .on_result = keep, .stop = &stop, .stored = stored});
    CHECK(kept.size() == trials);
    CHECK(fingerprint(resumed) == fingerprint(whole));
  }
}

TEST_CASE("a rig's timer multiples and a residual limit bound the recommendation") {
  Job job = macrostep::tests::by_residual(small_job());
  const auto free = run_search(planned(job), {});
  REQUIRE(free.answer.recommendation);
  const double bend_s = free.answer.recommendation->macro_step_s;

  job.allowed_macro_steps_s = {0.3e-3, 0.7e-3, 0.9 * bend_s, 1.1 * bend_s};
  const auto rig = run_search(planned(job), {});
  REQUIRE(rig.answer.recommendation);
  CHECK(rig.answer.recommendation->macro_step_s == 0.9 * bend_s);

  job.allowed_macro_steps_s = {1e-12, 1};  // below anything tried, and beyond every bend
  const auto none = run_search(planned(job), {});
  CHECK_FALSE(none.answer.recommendation);
  CHECK(codes_of(none.answer.reasons) == std::vector{NoticeCode::allowed_steps_not_reached});

  job.allowed_macro_steps_s.clear();
  job.relative_residual_max = free.answer.recommendation->relative_residual.value() / 4;
  const auto accurate = run_search(planned(job), {});
  REQUIRE(accurate.answer.recommendation);
  CHECK(accurate.answer.recommendation->macro_step_s < bend_s);
  CHECK(accurate.answer.recommendation->relative_residual <= job.relative_residual_max);
}

TEST_CASE("a residual limit that nothing meets is named as the reason, and what to change") {
  Job job = small_job();
  job.relative_residual_max = 1e-9;
  const auto result = run_search(planned(job), {});
  CHECK_FALSE(result.answer.recommendation);
  REQUIRE(codes_of(result.answer.reasons) ==
          std::vector{NoticeCode::residual_limit_not_reached, NoticeCode::lower_scan});
  CHECK(result.answer.reasons.front().subject == "step, impulse");
  CHECK(number_of(result.answer.reasons.front(), "relative_residual_max") == 1e-9);
  CHECK(result.answer.table[0].flags == std::vector<std::string>{"relative_residual_exceeded"});
  job.linear_region.scan = ScanKind::geometric;
  CHECK(run_search(planned(job), {}).answer.reasons.back().code ==
        NoticeCode::lower_first_macro_step);
}

TEST_CASE("a test in which nothing moves is shown, not counted, and stops nobody") {
  Job job = unchecked_job();
  job.tests.push_back({.name = "quiet", .kind = TestKind::none, .duration_s = 0.1});
  const auto result = run_search(planned(job), {});
  CHECK(result.answer.table.back().flags == std::vector<std::string>{"no_energy"});
  REQUIRE(result.answer.recommendation);
  CHECK(result.answer.recommendation->macro_step_s ==
        run_search(planned(unchecked_job()), {}).answer.recommendation->macro_step_s);
}

TEST_CASE("a coarse grid finds a recommendation, too") {
  Job job = find_built_in("single_actuator_crane")->default_job;
  job.space.extrapolation = {Extrapolation::order_2};
  job.macro_step = {.initial_s = 1e-3, .increment_s = 6e-4, .maximum_s = 0.02};
  const auto result = run_search(planned(job), {});
  REQUIRE(result.answer.recommendation);
  CHECK(result.answer.recommendation->macro_step_s == doctest::Approx(2.2e-3).epsilon(0.2));
}

TEST_CASE("the error of the recommended run is measured against the monolithic solution if asked") {
  // The stiff oscillator's subsystems are exact, and its motion is damped: 1 % of the energy makes
  // no more than some percent of error. Measuring changes nothing of the search.
  Job job = find_built_in("stiff_oscillator")->default_job;
  job.relative_residual_max = 0.01;
  const Plan plan = planned(job);
  const auto plain = run_search(plan, {.threads = 2});
  CHECK_FALSE(plain.answer.recommendation->error);
  const auto measured = run_search(plan, {.threads = 2, .options = {.measure_error = true}});
  CHECK(fingerprint(plain) == fingerprint(measured));
  const auto& answer = *measured.answer.recommendation;
  REQUIRE(answer.error);
  CHECK(answer.error->reference == "matrix exponential");
  REQUIRE(answer.error->nrmse);
  CHECK(*answer.error->nrmse < 0.05);
  CHECK(*answer.error->largest > *answer.error->nrmse);
  // It is that of a run with the named test, and of no other a larger one.
  double largest = 0;
  for (const auto& test : plan.job.tests) {
    const auto one = error_at_every_phase(plan, plan.configurations[answer.configuration], test,
                                          answer.macro_step_s, nullptr);
    REQUIRE(one.nrmse);
    largest = std::max(largest, *one.nrmse);
    if (test.name == answer.error->test) {
      CHECK(one.nrmse == answer.error->nrmse);
    }
  }
  CHECK(largest == *answer.error->nrmse);
}

TEST_CASE("a run that does not complete has no error, and says why") {
  Job job = small_job();
  job.space.extrapolation = {Extrapolation::order_4};
  job.tests.front().duration_s = 1;
  const Plan plan = planned(job);
  const auto& configuration = plan.configurations.front();
  const auto& test = plan.job.tests.front();
  CHECK(error_in_test(plan, configuration, test, 1e-4, nullptr).nrmse);
  const auto unstable = error_in_test(plan, configuration, test, 9e-3, nullptr);
  CHECK_FALSE(unstable.nrmse);
  CHECK(unstable.reason.find("in test step: ") != std::string::npos);
  const std::atomic<bool> stop = true;
  CHECK_FALSE(error_in_test(plan, configuration, test, 1e-4, &stop).nrmse);
  CHECK(reference_points(plan, configuration, test, 1e-4, &stop).reason == "stopped");
}

TEST_CASE("a solution that is kept gives every scheme the error of one computed along with it") {
  const Plan plan = planned(find_built_in("stiff_oscillator")->default_job);
  auto configuration = plan.configurations.front();
  const auto& test = plan.job.tests.front();
  constexpr double macro_step_s = 3e-4;  // the last macro-step reaches beyond the test
  const auto kept = reference_points(plan, configuration, test, macro_step_s, nullptr);
  for (const auto scheme : all_schemes) {
    configuration.scheme = scheme;
    const auto along = error_in_test(plan, configuration, test, macro_step_s, nullptr);
    const auto error = error_against(kept, plan, configuration, test, nullptr);
    REQUIRE(along.nrmse);
    CHECK(error.nrmse == along.nrmse);
    CHECK(error.largest == along.largest);
    CHECK(error.reference == along.reference);
  }
}
