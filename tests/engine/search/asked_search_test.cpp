// A search that is asked and told by hand, in any order.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/search/run_search.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/engine/search/fingerprint.hpp"
#include "tests/made_backends.hpp"

using namespace macrostep::engine;
using macrostep::tests::fingerprint;
using macrostep::tests::planned;

namespace {

/// A moment's search, with gaps, probes, refinements and errors.
Job adaptive_job() {
  Job job = find_built_in("linear_oscillator")->default_job;
  job.space.extrapolation = {Extrapolation::order_0};
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 1},
               {.name = "impulse", .kind = TestKind::impulse, .duration_s = 1, .width_s = 0.1}};
  job.macro_step = {.initial_s = 1e-3, .increment_s = 1e-3, .maximum_s = 0.06};
  job.linear_region.scan = ScanKind::adaptive;
  job.stability_check = StabilityCheck::identified;
  job.accuracy = 0.3;
  job.validate_unseen = true;
  return job;
}

std::vector<TrialRecord> trials_of(const Plan& plan) {
  std::vector<TrialRecord> records;
  run_search(plan, {.threads = 1, .on_result = [&](const auto& record, const auto&) {
                      records.push_back(record);
                    }});
  return records;
}

/// All trials at once, before they are asked for, then tasks as they are asked for.
SearchResult told(const Plan& plan, const std::vector<TrialRecord>& records, std::mt19937& order) {
  Search search(plan);
  auto shuffled = records;
  std::ranges::shuffle(shuffled, order);
  for (auto& record : shuffled) {
    search.add(std::move(record));
  }
  for (auto wanted = search.wanted(); !wanted.is_nothing(); wanted = search.wanted()) {
    REQUIRE(wanted.trials.empty());  // all of them have come
    auto results = perform(plan, wanted.tasks, {this_process(), 1});
    std::vector<std::size_t> places(results.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = i;
    }
    std::ranges::shuffle(places, order);
    for (const std::size_t place : places) {
      search.add(place, std::move(results[place]));
    }
  }
  return search.result();
}

}  // namespace

TEST_CASE("a search that is told its results in any order has the same answer, bit for bit") {
  const auto plan = planned(adaptive_job());
  const auto records = trials_of(plan);
  const auto whole = run_search(plan, {.threads = 2});
  REQUIRE(whole.complete);
  REQUIRE_FALSE(whole.answer.recommendation->checks.empty());
  std::mt19937 order(1);
  for (int n = 0; n < 3; ++n) {
    const auto result = told(plan, records, order);
    CHECK(result.complete);
    CHECK(fingerprint(result) == fingerprint(whole));
    CHECK(result.cost.trials == whole.cost.trials);
    CHECK(result.cost.rhs_evaluations == whole.cost.rhs_evaluations);
  }
}

TEST_CASE("what a curve does not ask for changes nothing") {
  Job job = adaptive_job();
  job.stability_check = StabilityCheck::none;
  job.accuracy.reset();
  job.validate_unseen = false;
  const auto plan = planned(job);
  auto records = trials_of(plan);
  const auto whole = run_search(plan, {.threads = 1});
  auto other = records.front();
  other.macro_step_s *= 1.5;  // in the place of the first
  auto late = records.back();
  late.index += 7;
  auto twice = records;
  twice.insert(twice.end(), records.begin(), records.end());
  twice.insert(twice.begin(), {other, late});
  Search search(plan);
  for (const auto& record : twice) {
    search.add(record);
  }
  CHECK(search.wanted().is_nothing());
  CHECK(fingerprint(search.result()) == fingerprint(whole));
  CHECK(search.result().cost.trials == records.size());
}

TEST_CASE("a search that is stopped answers from what there is, wherever it is") {
  const auto plan = planned(adaptive_job());
  const auto records = trials_of(plan);
  { const Search never_asked(plan); }
  Search at_once(plan);
  at_once.stop();
  CHECK(at_once.wanted().is_nothing());
  CHECK_FALSE(at_once.result().complete);
  CHECK(at_once.result().answer.curves.empty());

  Search at_checks(plan);
  for (const auto& record : records) {
    at_checks.add(record);
  }
  REQUIRE_FALSE(at_checks.wanted().tasks.empty());
  CHECK(at_checks.wanted().stage == Stage::checks);
  at_checks.stop();
  const auto result = at_checks.result();
  CHECK_FALSE(result.complete);
  CHECK(result.answer.curves.size() == plan.curves.size());
  REQUIRE(result.answer.recommendation);
  CHECK(result.answer.recommendation->notices.front().code == NoticeCode::stopped_before_checks);
}

TEST_CASE("a search that nobody goes on with ends with what holds it") {
  const auto plan = planned(adaptive_job());
  Search search(plan);
  CHECK_FALSE(search.wanted().trials.empty());  // its course waits for them
}

TEST_CASE("a search that is stopped in any of its rounds is not complete") {
  // Every run of the second configuration over more than 200 s ends there, so that the answer is
  // asked again, which has the longest runs of all.
  auto job = macrostep::tests::slow_decay();
  job.space.extrapolation = {Extrapolation::order_1, Extrapolation::order_2};
  job.macro_step = {.initial_s = 3e-4, .increment_s = 1e-4, .maximum_s = 2e-3};
  job.allowed_macro_steps_s = {7e-4};
  const auto plan = planned(job);
  const auto first = plan.configurations.front().extrapolation;
  const macrostep::tests::TrialsBy backend([&](const Plan& of, const TrialSettings& run) {
    return run.configuration->extrapolation != first && duration_of(run) > 200
               ? TrialResult{.status = TrialStatus::diverged, .reason = "worn", .final_time_s = 200}
               : run_trial(of, run);
  });
  const RunsOnThreads runs{backend, 1, nullptr};
  std::vector<TrialRecord> records;
  run_search(plan,
             {.threads = 1,
              .on_result = [&](const auto& record, const auto&) { records.push_back(record); },
              .backend = &backend});
  std::vector<std::vector<TaskResult>> made;  // by round
  const auto asked = [&](std::size_t rounds) {
    auto search = std::make_unique<Search>(plan);
    for (const auto& record : records) {
      search->add(record);
    }
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto wanted = search->wanted();
      if (wanted.is_nothing()) {
        break;
      }
      if (round == made.size()) {
        made.push_back(perform(plan, wanted.tasks, runs));
      }
      for (std::size_t i = 0; i < made[round].size(); ++i) {
        search->add(i, made[round][i]);
      }
    }
    return search;
  };
  constexpr std::size_t most_rounds = 1000;
  REQUIRE(asked(most_rounds)->wanted().is_nothing());
  CHECK(asked(most_rounds)->result().complete);
  REQUIRE(made.size() > 5);
  for (std::size_t rounds = made.size() - 5; rounds < made.size(); ++rounds) {
    CAPTURE(rounds);
    const auto search = asked(rounds);
    REQUIRE_FALSE(search->wanted().is_nothing());
    search->stop();
    CHECK_FALSE(search->result().complete);
  }
}
