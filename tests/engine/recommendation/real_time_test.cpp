// Times of macro-steps, and what a job that asks for real time makes of them. Times are made up
// wherever they decide: a machine's own are never held against a number.
#include "engine/recommendation/real_time.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/cost/step_times.hpp"
#include "engine/search/run_search.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/made_backends.hpp"

using namespace macrostep::engine;
using macrostep::tests::codes_of;
using macrostep::tests::has_notice;
using macrostep::tests::planned;

namespace {

MeasuredStepTimes measured(std::size_t configuration, double macro_step_s, double p999_s) {
  return {.configuration = configuration,
          .macro_step_s = macro_step_s,
          .macro_steps = 1000,
          .times = {.median_s = p999_s / 2, .p999_s = p999_s, .worst_s = 10 * p999_s}};
}

/// Four extrapolations and two short tests of the double crane, unchecked: a fraction of a second.
Job small_job() {
  Job job = find_built_in("double_actuator_crane")->default_job;
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_1, Extrapolation::order_2,
                             Extrapolation::order_3};
  job.space.integrators = {{"mechanics", {macrostep::models::Integrator::i1al}},
                           {"hydraulics", {macrostep::models::Integrator::forward_euler}}};
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 0.1},
               {.name = "impulse", .kind = TestKind::impulse, .duration_s = 0.2, .width_s = 0.04}};
  job.stability_check = StabilityCheck::none;
  return job;
}

Plan plan_with_share(double share) {
  Job job = small_job();
  job.real_time_share = share;
  return planned(job);
}

/// p999 of a run, by configuration (its index in the plan) and H.
using Times = std::function<double(std::size_t configuration, double macro_step_s)>;

struct Request {
  std::size_t configuration;
  std::string test;
  double macro_step_s;

  bool operator==(const Request&) const = default;
};

/// A search whose macro-steps take the times given; a negative one cannot be measured.
SearchResult search_with(const Plan& plan, const Times& p999_s,
                         std::vector<Request>* requests = nullptr, SearchSettings settings = {}) {
  const macrostep::tests::TimesBy backend([&](const Plan& given, const StepTimeSettings& run) {
    const auto configuration =
        static_cast<std::size_t>(run.configuration - given.configurations.data());
    if (requests) {
      requests->push_back({configuration, run.test->name, run.macro_step_s});
    }
    const double time_s = p999_s(configuration, run.macro_step_s);
    return time_s < 0
               ? TimedMacroSteps{.status = TrialStatus::crashed,
                                 .reason = "crashed: it has had enough"}
               : TimedMacroSteps{.macro_steps = 1000, .times = {time_s / 2, time_s, 10 * time_s}};
  });
  settings.backend = &backend;
  return run_search(plan, settings);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a few macro-steps are spread over the grid at equal ratios, both ends among them") {
  const std::vector<double> grid{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  CHECK(spread_down(grid, 5) == std::vector<double>{16, 8, 4, 2, 1});
  CHECK(spread_down(grid, 2) == std::vector<double>{16, 1});
  CHECK(spread_down(grid, 1) == std::vector<double>{16});
  CHECK(spread_down(std::vector<double>{3}, 5) == std::vector<double>{3});
  CHECK(spread_down(std::vector<double>{2, 3}, 5) == std::vector<double>{3, 2});
}

TEST_CASE("the largest macro-step that keeps real time is chosen, of the best that has one") {
  const std::vector<TimingCandidate> timing_candidates{
      {.configuration = 9, .macro_steps_s = {8e-3}, .eligible = false},
      {.configuration = 4, .macro_steps_s = {4e-3, 2e-3, 1e-3}},
      {.configuration = 2, .macro_steps_s = {3e-3, 1e-3}}};
  const auto choose = [&](const std::vector<MeasuredStepTimes>& times, double share) {
    const auto* chosen = choose_real_time(timing_candidates, times, share);
    return chosen ? std::pair(chosen->configuration, chosen->macro_step_s) : std::pair(0UL, 0.0);
  };
  // 1 ms whatever H: half of 2 ms, all of 1 ms. Just at the limit is within it.
  const std::vector<MeasuredStepTimes> constant{measured(4, 4e-3, 1e-3), measured(4, 2e-3, 1e-3),
                                                measured(4, 1e-3, 1e-3), measured(2, 3e-3, 1e-3),
                                                measured(2, 1e-3, 1e-3), measured(9, 8e-3, 1e-6)};
  CHECK(choose(constant, 1) == std::pair(4UL, 4e-3));
  CHECK(choose(constant, 0.25) == std::pair(4UL, 4e-3));
  // No smaller H of the best keeps it, nor does the next best with its smaller H; the run of the
  // paper's rule is not asked.
  CHECK(choose(constant, 0.24) == std::pair(0UL, 0.0));
  // The best takes too long at its largest H only, as solvers that iterate may.
  auto iterating = constant;
  iterating[0].times.p999_s = 3e-3;
  CHECK(choose(iterating, 0.5) == std::pair(4UL, 2e-3));
  // It takes too long at each: the next best.
  iterating[1].times.p999_s = iterating[2].times.p999_s = 3e-3;
  CHECK(choose(iterating, 0.5) == std::pair(2UL, 3e-3));
  // What was not measured does not keep real time.
  CHECK(choose({measured(4, 2e-3, 1e-3)}, 1) == std::pair(4UL, 2e-3));
  CHECK(choose({}, 1) == std::pair(0UL, 0.0));
  CHECK(nearest_to_real_time(timing_candidates, constant)->macro_step_s == 4e-3);
  CHECK(nearest_to_real_time(timing_candidates, {}) == nullptr);
}

TEST_CASE("the few best are timed in rank order, each from its largest macro-step down") {
  const auto plan = planned(small_job());
  std::vector<Request> requests;
  const auto fixed = [](std::size_t, double) { return 1e-6; };
  const auto result =
      search_with(plan, fixed, &requests, {.options = {.measure_step_times = true}});
  REQUIRE(result.answer.recommendation);
  const auto& recommendation = *result.answer.recommendation;
  REQUIRE_FALSE(requests.empty());
  CHECK(requests.front() ==
        Request{recommendation.configuration, "impulse", recommendation.macro_step_s});
  std::map<std::size_t, std::vector<double>> timed;  // in the longest test that counts
  for (const auto& request : requests) {
    timed[request.configuration].push_back(request.macro_step_s);
  }
  const auto& timing_candidates = result.answer.timing_candidates;
  CHECK(std::ranges::count(timing_candidates, true, &TimingCandidate::eligible) ==
        timed_configurations);
  for (const auto& candidate : timing_candidates) {
    if (!candidate.eligible) {  // of the paper's rule
      CHECK(candidate.configuration == result.answer.paper_rule->configuration);
      CHECK(candidate.macro_steps_s == std::vector{result.answer.paper_rule->macro_step_s});
      timed.erase(candidate.configuration);
    }
  }
  for (const auto& [configuration, macro_steps_s] : timed) {
    CHECK(macro_steps_s.size() <= timed_macro_step_sizes);
    CHECK(std::ranges::is_sorted(macro_steps_s, std::greater{}));
    CHECK(macro_steps_s.front() <= recommendation.macro_step_s);
    CHECK(macro_steps_s.back() == doctest::Approx(plan.job.macro_step.initial_s));
  }
  CHECK(result.answer.step_times.rows.size() == requests.size());
  CHECK_FALSE(recommendation.real_time);
}

TEST_CASE("only macro-steps that a rig can run at are timed") {
  Job job = small_job();
  job.allowed_macro_steps_s = {1e-9, 7e-4, 3e-4, 1};
  std::vector<Request> requests;
  search_with(planned(job), [](std::size_t, double) { return 1e-6; }, &requests,
              {.options = {.measure_step_times = true}});
  REQUIRE_FALSE(requests.empty());
  for (const auto& request : requests) {
    CHECK((request.macro_step_s == 7e-4 || request.macro_step_s == 3e-4));
  }
}

TEST_CASE("without real time no time is measured unless asked for, and none changes the answer") {
  const auto plan = planned(small_job());
  std::vector<Request> requests;
  const auto slow = [](std::size_t, double) { return 1.0; };
  const auto plain = search_with(plan, slow, &requests);
  CHECK(requests.empty());
  CHECK(plain.answer.step_times.rows.empty());
  const auto timed = search_with(plan, slow, &requests, {.options = {.measure_step_times = true}});
  REQUIRE(plain.answer.recommendation);
  REQUIRE(timed.answer.recommendation);
  CHECK(timed.answer.recommendation->configuration == plain.answer.recommendation->configuration);
  CHECK(timed.answer.recommendation->macro_step_s == plain.answer.recommendation->macro_step_s);
  CHECK(timed.answer.recommendation->reason() == plain.answer.recommendation->reason());
  CHECK(timed.answer.recommendation->notices == plain.answer.recommendation->notices);
  CHECK(timed.answer.recommendation->ties == plain.answer.recommendation->ties);
}

TEST_CASE("a recommendation that keeps real time stays, and says by how much it does") {
  const auto free = run_search(planned(small_job()), {});
  const auto result = search_with(plan_with_share(0.5), [](std::size_t, double) { return 1e-5; });
  REQUIRE(result.answer.recommendation);
  const auto& recommendation = *result.answer.recommendation;
  CHECK(recommendation.macro_step_s == free.answer.recommendation->macro_step_s);
  CHECK(recommendation.reasons == free.answer.recommendation->reasons);
  REQUIRE(recommendation.real_time);
  CHECK(recommendation.real_time->share == 0.5);
  CHECK(recommendation.real_time->limit_s == 0.5 * recommendation.macro_step_s);
  CHECK(recommendation.real_time->p999_s == 1e-5);
  CHECK(recommendation.real_time->factor() ==
        doctest::Approx(0.5 * recommendation.macro_step_s / 1e-5));
}

TEST_CASE("where the best takes too long, the next best of those timed is recommended") {
  Job job = small_job();
  job.stability_check = StabilityCheck::all;  // of what is recommended instead, too
  const auto free = run_search(planned(job), {});
  const auto& best = *free.answer.recommendation;
  job.real_time_share = 0.8;
  const auto plan = planned(job);
  const auto result = search_with(plan, [&](std::size_t configuration, double) {
    return configuration == best.configuration ? 1.0 : 1e-6;
  });
  REQUIRE(result.answer.recommendation);
  const auto& recommendation = *result.answer.recommendation;
  CHECK(recommendation.configuration == result.answer.timing_candidates.at(1).configuration);
  CHECK(recommendation.macro_step_s == result.answer.timing_candidates.at(1).macro_steps_s.front());
  CHECK_FALSE(recommendation.checks.empty());
  CHECK(recommendation.real_time->is_kept());
  REQUIRE(codes_of(recommendation.reasons) == std::vector{NoticeCode::best_in_real_time});
  CHECK(recommendation.reasons.front().subject ==
        "(" + describe(plan.configurations.at(best.configuration)) + ")");
}

TEST_CASE("where its largest macro-step alone takes too long, a smaller one is recommended") {
  const auto free = run_search(planned(small_job()), {});
  const auto& best = *free.answer.recommendation;
  const auto result = search_with(plan_with_share(0.8), [&](std::size_t, double macro_step_s) {
    return macro_step_s == best.macro_step_s ? macro_step_s : 1e-6;
  });
  REQUIRE(result.answer.recommendation);
  const auto& recommendation = *result.answer.recommendation;
  CHECK(recommendation.configuration == best.configuration);
  CHECK(recommendation.macro_step_s == result.answer.timing_candidates.at(0).macro_steps_s.at(1));
  CHECK(recommendation.macro_step_s < best.macro_step_s);
  CHECK(recommendation.bend_s == best.bend_s);
  CHECK(*recommendation.relative_residual < *best.relative_residual);
}

TEST_CASE("where none keeps real time, the reason names the nearest, its time and the share") {
  const auto plan = plan_with_share(0.25);
  const auto result = search_with(plan, [](std::size_t, double) { return 2.5e-3; });
  CHECK_FALSE(result.answer.recommendation);
  CHECK(result.complete);
  const auto reason = result.answer.reason();
  const auto best = result.answer.timing_candidates.at(0);
  CHECK_MESSAGE(contains(reason, describe(plan.configurations.at(best.configuration))), reason);
  CHECK_MESSAGE(contains(reason, "took at most 2.5 ms"), reason);
  CHECK_MESSAGE(contains(reason, "real_time.share 0.25 allows "), reason);
  // The paper's rule asks for no times; it says what they are.
  REQUIRE(result.answer.paper_rule);
  REQUIRE(result.answer.paper_rule->real_time);
  CHECK_FALSE(result.answer.paper_rule->real_time->is_kept());
  CHECK(has_notice(result.answer.paper_rule->notices, NoticeCode::real_time_not_kept));
}

TEST_CASE("where no macro-step can be timed, the reason says why") {
  std::vector<Request> requests;
  const auto result = search_with(
      plan_with_share(0.25), [](std::size_t, double) { return -1.0; }, &requests);
  CHECK(requests.size() == result.answer.timing_candidates.size());  // not at a second H
  CHECK(result.complete);
  CHECK_FALSE(result.answer.recommendation);
  CHECK(contains(result.answer.reason(), "crashed: it has had enough; without that, it would be"));
}

TEST_CASE("a search that is stopped while it times goes on later, and times anew") {
  const auto plan = plan_with_share(1);
  std::atomic<bool> stop = false;
  std::vector<TrialRecord> stored;
  SearchSettings settings{
      .threads = 1,
      .on_result = [&](const TrialRecord& record, const auto&) { stored.push_back(record); },
      .stop = &stop};
  std::vector<Request> requests;
  const auto stopping = [&](std::size_t, double) {
    stop = requests.size() == 2;
    return requests.size() == 1 ? 1.0 : 1e-6;  // the first one takes too long
  };
  const auto stopped = search_with(plan, stopping, &requests, settings);
  CHECK_FALSE(stopped.complete);
  CHECK(requests.size() == 2);
  CHECK(stopped.answer.step_times.rows.empty());
  CHECK_FALSE(stopped.answer.recommendation);
  CHECK(stopped.answer.reasons.front().code == NoticeCode::stopped_before_times);

  stop = false;
  requests.clear();
  std::ranges::stable_sort(stored, {}, &TrialRecord::curve);
  const auto resumed = search_with(plan, [](std::size_t, double) { return 1e-6; }, &requests,
                                   {.threads = 1, .stop = &stop, .stored = stored});
  CHECK(resumed.complete);
  CHECK(requests.size() > 2);
  REQUIRE(resumed.answer.recommendation);
  CHECK(resumed.answer.recommendation->real_time->p999_s == 1e-6);
}

TEST_CASE("macro-steps are timed within their limits, a short test again and again") {
  const auto plan = planned(small_job());
  StepTimeSettings settings{.configuration = &plan.configurations.front(),
                            .test = &plan.job.tests.front(),
                            .macro_step_s = 1e-3};
  const auto timed = time_macro_steps(plan, settings);
  CHECK(timed.status == TrialStatus::complete);
  CHECK(timed.reason.empty());
  CHECK(timed.macro_steps >= 1);
  CHECK(timed.macro_steps <= max_timed_macro_steps);
  CHECK(timed.times.median_s > 0);
  CHECK(timed.times.p999_s >= timed.times.median_s);
  CHECK(timed.times.worst_s >= timed.times.p999_s);
  settings.single_run = true;
  CHECK(time_macro_steps(plan, settings).macro_steps <= 100);
  const std::atomic<bool> stop = true;
  settings.stop = &stop;
  const auto stopped = time_macro_steps(plan, settings);
  CHECK(stopped.macro_steps == 0);
  CHECK(stopped.status == TrialStatus::cancelled);
}

TEST_CASE("a run ends where its samples are full, by number or by time") {
  const auto plan = planned(small_job());
  StepSamples samples{.times_s = {}, .most = 7, .left_s = 3600};
  const TrialSettings settings{.configuration = &plan.configurations.front(),
                               .test = &plan.job.tests.front(),
                               .macro_step_s = 1e-3,
                               .samples = &samples};
  auto result = run_trial(plan, settings);
  CHECK(result.status == TrialStatus::complete);
  CHECK(result.macro_steps == 7);
  CHECK(samples.times_s.size() == 7);
  samples = {.times_s = {}, .most = 1000, .left_s = 1e-12};
  CHECK(run_trial(plan, settings).macro_steps == 1);
}
