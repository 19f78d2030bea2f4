#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/cost/cost_estimate.hpp"
#include "engine/recommendation/decisive_curves.hpp"
#include "engine/search/run_search.hpp"
#include "tests/engine/plan/planned.hpp"

using namespace macrostep::engine;
using macrostep::tests::planned;

namespace {

constexpr double diverged_j = std::numeric_limits<double>::infinity();

/// Walks on made-up residuals; infinity stands for a diverged trial. Returns the H asked for.
std::vector<double> walk_on(CurveScan& scan, const std::function<double(double)>& energy) {
  std::vector<double> asked;
  while (const auto macro_step_s = scan.next()) {
    REQUIRE(asked.size() < 1000);
    asked.push_back(*macro_step_s);
    const double value = energy(*macro_step_s);
    const bool completes = std::isfinite(value);
    scan.add({.status = completes ? TrialStatus::complete : TrialStatus::diverged,
              .residual_j = completes ? value : 0,
              .transmitted_j = 1e-6});
  }
  return asked;
}

Plan crane_plan(ScanKind scan) {
  Job job = find_built_in("double_actuator_crane")->default_job;
  job.macro_step = {.initial_s = 1e-4, .increment_s = 1e-4, .maximum_s = 0.02};
  job.linear_region = {.rule = Rule::baseline_power_law, .points = 8, .scan = scan};
  return planned(job);
}

/// A crane's scan by thirds of octaves, with a line through eight points, from here to 20 ms.
Plan third_octaves(double initial_s, ScanKind scan) {
  Job job = find_built_in("double_actuator_crane")->default_job;
  job.macro_step = {.initial_s = initial_s, .increment_s = initial_s, .maximum_s = 0.02};
  job.linear_region = {
      .rule = Rule::baseline_power_law, .points = 8, .scan = scan, .ratio = third_of_octave};
  return planned(job);
}

/// Two hundred macro-steps up to the largest of the problem's own job, and tests of few
/// macro-steps.
Job small_job(const BuiltInProblem& problem) {
  Job job = problem.default_job;
  const double increment_s = job.macro_step.maximum_s / 200;
  job.macro_step.initial_s = job.macro_step.increment_s = increment_s;
  job.linear_region = {.rule = Rule::baseline_power_law, .points = 8};
  const auto count = std::min<std::size_t>(job.tests.size(), 2);
  job.tests.erase(job.tests.begin() + static_cast<std::ptrdiff_t>(count), job.tests.end());
  job.minimum_macro_steps = 10;
  job.stability_check = StabilityCheck::exact;
  auto& orders = job.space.extrapolation;
  orders.resize(std::min<std::size_t>(orders.size(), 3));
  return job;
}

SearchResult search_by(ScanKind scan, Job job) {
  job.linear_region.scan = scan;
  return run_search(planned(job), {.threads = 2});
}

void append(std::string& text, double value) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%a ", value);
  text += digits;
}

/// The recommendation and the table per test, exactly.
std::string answer_of(const SearchResult& result) {
  std::string text;
  for (const auto& answer : {result.answer.recommendation, result.answer.paper_rule}) {
    if (answer) {
      text += std::to_string(answer->configuration) + " ";
      append(text, answer->macro_step_s);
      append(text, answer->relative_residual.value_or(-1));
      append(text, answer->bend_s.value_or(-1));
      append(text, answer->cliff_s.value_or(-1));
      text += answer->reason() + "\n";
    }
  }
  for (const auto& row : result.answer.table) {
    append(text, row.macro_step_s.value_or(-1));
    append(text, row.cliff_s.value_or(-1));
    for (const auto configuration : row.configurations) {
      text += std::to_string(configuration) + " ";
    }
    for (const auto& flag : row.flags) {
      text += flag + " ";
    }
    text += "\n";
  }
  return text;
}

std::string usable_of(const SearchResult& result) {
  std::string text;
  for (const auto& curve : result.answer.curves) {
    append(text, curve.usable_s.value_or(-1));
  }
  return text;
}

/// All there is, points included.
std::string whole(const SearchResult& result) {
  std::string text = answer_of(result) + usable_of(result);
  for (const auto& curve : result.answer.curves) {
    for (const auto& point : curve.points) {
      append(text, point.macro_step_s);
      append(text, point.residual_j);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("a refined scan goes up by its ratio, and tells bend and cliff to a fiftieth") {
  CurveScan scan(third_octaves(1e-5, ScanKind::refined), 0);
  const double bend_s = 1.234e-3;
  const double cliff_s = 4.321e-3;
  const auto asked = walk_on(scan, [&](double h) {
    return h <= bend_s ? h : h < cliff_s ? 3 * h : diverged_j;
  });
  CHECK(asked[1] == doctest::Approx(1e-5 * std::cbrt(2.0)).epsilon(1e-11));
  CHECK(asked.size() < 40);
  REQUIRE(scan.region().bend_s());
  CHECK(*scan.region().bend_s() <= bend_s);
  CHECK(*scan.region().bend_s() * refined_ratio > bend_s);
  REQUIRE(scan.region().cliff_s);
  CHECK(*scan.region().cliff_s >= cliff_s);
  CHECK(*scan.region().cliff_s < cliff_s * refined_ratio);
}

TEST_CASE("points in the gaps of a refined scan do not move its line") {
  // The bend is at the fifth point, so that a line of eight would take what follows it.
  const auto energy = [](double h) {
    return h <= 2.6e-4 ? h : h < 3e-3 ? h * h / 1e-4 : diverged_j;
  };
  CurveScan coarse(third_octaves(1e-4, ScanKind::geometric), 0);
  walk_on(coarse, energy);
  CurveScan fine(third_octaves(1e-4, ScanKind::refined), 0);
  walk_on(fine, energy);
  REQUIRE(coarse.region().bend_s());
  REQUIRE(fine.region().bend_s());
  CHECK(fine.region().fit->exponent == coarse.region().fit->exponent);
  CHECK(fine.region().fit->coefficient == coarse.region().fit->coefficient);
  CHECK(fine.region().accepted == coarse.region().accepted);
  CHECK(*fine.region().bend_s() >= *coarse.region().bend_s());
  CHECK(*fine.region().bend_s() < *coarse.region().bend_s() * third_of_octave);
  CHECK(*fine.region().cliff_s <= *coarse.region().cliff_s);
}

TEST_CASE("halved grids of a refined scan share their points") {
  CurveScan scan(third_octaves(0.0013371, ScanKind::refined), 0);
  const auto asked = walk_on(scan, [](double h) { return h < 1.1e-3 ? h : diverged_j; });
  CHECK(std::set(asked.begin(), asked.end()).size() == asked.size());
  for (std::size_t k = 0; k + 1 < scan.points().size(); ++k) {
    CHECK(scan.points()[k + 1].macro_step_s > scan.points()[k].macro_step_s * 1.01);
  }
  // 1.34 ms diverges; from 0.67 ms on one point is below 1.1 ms, then from 0.33 ms on six.
  CHECK(scan.region().halvings == 2);
  CHECK(*scan.region().bend_s() < 1.1e-3);
  CHECK(*scan.region().bend_s() * refined_ratio > 1.1e-3);
}

TEST_CASE("an adaptive scan runs the points of the line, rises, and closes in on bend and cliff") {
  const auto energy = [](double h) { return h < 4.05e-3 ? h : h < 6.05e-3 ? 3 * h : diverged_j; };
  const auto plan = crane_plan(ScanKind::adaptive);
  CurveScan scan(plan, 0);
  const auto asked = walk_on(scan, energy);
  const std::vector rise(asked.begin() + 7, asked.begin() + 12);
  CHECK(rise == std::vector{8e-4, 1e-3, 1.3e-3, 1.6e-3, 2e-3});  // each at most 1.25 times the last
  CHECK(scan.region().bend_s() == 4e-3);
  CHECK(scan.region().cliff_s == 6.1e-3);
  CHECK(asked.size() < 30);

  const auto full_plan = crane_plan(ScanKind::arithmetic);
  CurveScan full(full_plan, 0);
  CHECK(walk_on(full, energy).size() == 61);
  CHECK(scan.has_gaps());
  CHECK_FALSE(full.has_gaps());

  // Filled, it has run every point of the arithmetic scan, none of them twice.
  scan.fill_gaps();
  const auto more = walk_on(scan, energy);
  CHECK_FALSE(scan.has_gaps());
  CHECK(scan.region().bend_s() == full.region().bend_s());
  CHECK(scan.region().cliff_s == full.region().cliff_s);
  std::set<double> run(asked.begin(), asked.end());
  run.insert(more.begin(), more.end());
  CHECK(run.size() == asked.size() + more.size());
  for (const auto& point : full.points()) {
    CHECK(run.contains(point.macro_step_s));
  }
}

TEST_CASE("a bend inside a gap is found when the gaps are filled, and only ever earlier") {
  const auto energy = [](double h) {
    return std::abs(h - 3.3e-3) < 5e-6 ? 3 * h : h < 5.05e-3 ? h : diverged_j;
  };
  const auto plan = crane_plan(ScanKind::adaptive);
  CurveScan scan(plan, 0);
  const auto asked = walk_on(scan, energy);
  REQUIRE(std::ranges::find(asked, 3.3e-3) == asked.end());
  CHECK(scan.region().bend_s() == 5e-3);
  scan.fill_gaps();
  walk_on(scan, energy);
  CHECK(scan.region().bend_s() == 3.2e-3);
}

TEST_CASE("an adaptive scan that starts beyond the line halves its grid as an arithmetic one") {
  const auto energy = [](double h) { return h < 2.1e-4 ? h : diverged_j; };
  for (const auto kind : {ScanKind::arithmetic, ScanKind::adaptive}) {
    const auto plan = crane_plan(kind);
    CurveScan scan(plan, 0);
    walk_on(scan, energy);
    CHECK(scan.region().bend_s() == 2e-4);
    CHECK(scan.region().cliff_s == doctest::Approx(2.5e-4));
  }
}

TEST_CASE("an adaptive scan gives the answer of the arithmetic one for every built-in problem") {
  double adaptive_evaluations = 0;
  double arithmetic_evaluations = 0;
  std::size_t curves = 0;
  std::size_t longer = 0;
  for (const auto& problem : catalogue()) {
    CAPTURE(problem.name);
    const Job job = small_job(problem);
    const auto arithmetic = search_by(ScanKind::arithmetic, job);
    const auto adaptive = search_by(ScanKind::adaptive, job);
    CHECK(arithmetic.answer.recommendation.has_value());
    CHECK(answer_of(adaptive) == answer_of(arithmetic));
    const auto of_answer = decisive_curves(planned(job), adaptive.answer);
    CHECK_FALSE(of_answer.empty());
    for (const auto& curve : adaptive.answer.curves) {
      CAPTURE(curve.id);
      const auto& whole = arithmetic.answer.curves[curve.id];
      CHECK(curve.region.last_s.has_value() == whole.region.last_s.has_value());
      if (std::ranges::binary_search(of_answer, curve.id)) {
        CHECK(curve.region.bend_s() == whole.region.bend_s());
        CHECK(curve.region.cliff_s == whole.region.cliff_s);
        CHECK(curve.usable_s == whole.usable_s);
      }
      // A gap may hide a bend, but moves none to a smaller H.
      CHECK(curve.region.last_s.value_or(0) >= whole.region.last_s.value_or(0));
      CHECK(curve.usable_s.value_or(0) >= whole.usable_s.value_or(0));
      longer += curve.region.last_s != whole.region.last_s ? 1 : 0;
      ++curves;
    }
    adaptive_evaluations += static_cast<double>(adaptive.cost.rhs_evaluations);
    arithmetic_evaluations += static_cast<double>(arithmetic.cost.rhs_evaluations);
  }
  CHECK(longer <= curves / 20);
  CHECK(adaptive_evaluations < 0.95 * arithmetic_evaluations);
}

TEST_CASE("an adaptive scan is cut where residual or stability cut the arithmetic one") {
  Job job = small_job(*find_built_in("linear_oscillator"));
  job.relative_residual_max = 0.02;
  const auto arithmetic = search_by(ScanKind::arithmetic, job);
  const auto adaptive = search_by(ScanKind::adaptive, job);
  const auto& curves = arithmetic.answer.curves;
  CHECK(std::ranges::any_of(curves, [](const Curve& curve) {
    return std::ranges::find(curve.flags, "cut_at_relative_residual") != curve.flags.end();
  }));
  CHECK(usable_of(adaptive) == usable_of(arithmetic));
  CHECK(answer_of(adaptive) == answer_of(arithmetic));
}

TEST_CASE("checks that reject lead an adaptive scan down the points of the arithmetic one" *
          doctest::test_suite("slow")) {
  Job job = small_job(*find_built_in("linear_oscillator"));
  job.stability_check = StabilityCheck::identified;
  job.accuracy = 0.2;
  job.tests.resize(1);
  const auto arithmetic = search_by(ScanKind::arithmetic, job);
  REQUIRE(arithmetic.answer.recommendation);
  CHECK(arithmetic.answer.recommendation->reasons.size() > 2);  // and what fails verification
  CHECK(answer_of(search_by(ScanKind::adaptive, job)) == answer_of(arithmetic));
}

TEST_CASE("an adaptive scan resumes after any trial, on any number of threads, to the same bits") {
  Job job = small_job(*find_built_in("linear_oscillator"));
  job.linear_region.scan = ScanKind::adaptive;
  job.space.extrapolation.resize(1);
  job.tests.resize(1);
  const auto plan = planned(job);
  std::vector<TrialRecord> records;
  const auto once = run_search(
      plan, {.threads = 1,
             .on_result = [&](const auto& record, const auto&) { records.push_back(record); }});
  CHECK(whole(run_search(plan, {.threads = 4})) == whole(once));
  REQUIRE(records.size() > 30);
  for (std::size_t count = 0; count <= records.size(); ++count) {
    CAPTURE(count);
    std::vector<TrialRecord> stored(records.begin(),
                                    records.begin() + static_cast<std::ptrdiff_t>(count));
    std::ranges::sort(stored, {}, [](const TrialRecord& record) {
      return std::pair(record.curve, record.index);
    });
    std::size_t ran = 0;
    const auto resumed = run_search(
        plan,
        {.threads = 2, .on_result = [&](const auto&, const auto&) { ++ran; }, .stored = stored});
    CHECK(ran == records.size() - count);
    CHECK(resumed.cost.trials == once.cost.trials);
    CHECK(whole(resumed) == whole(once));
  }
}

TEST_CASE("a search that stops before its gaps are filled is not complete") {
  Job job = small_job(*find_built_in("linear_oscillator"));
  job.linear_region.scan = ScanKind::adaptive;
  const auto plan = planned(job);
  std::atomic<bool> stop = false;
  const auto result = run_search(plan, {.threads = 1,
                                        .on_result =
                                            [&](const auto&, const SearchProgress& progress) {
                                              stop = progress.curves_done == progress.curves_total;
                                            },
                                        .stop = &stop});
  CHECK_FALSE(result.complete);
  CHECK(result.answer.curves.size() == plan.curves.size());
}

TEST_CASE("an adaptive scan is refused with a rule whose line depends on the points left out") {
  Job job = find_built_in("double_actuator_crane")->default_job;
  job.linear_region = {.rule = Rule::local_power_law, .scan = ScanKind::adaptive};
  const auto plan = make_plan(job);
  REQUIRE(std::holds_alternative<FieldErrors>(plan));
  CHECK(std::get<FieldErrors>(plan).front().pointer == "/search/linear_region/scan");
}

TEST_CASE(
    "the cost of an adaptive scan is expected to be lower, and bounded by the arithmetic one") {
  Job job = find_built_in("double_actuator_crane")->default_job;
  job.linear_region = {.rule = Rule::baseline_power_law, .points = 8};
  job.macro_step = {.initial_s = 5e-5, .increment_s = 5e-5, .maximum_s = 0.02};
  const auto arithmetic = estimate_cost(planned(job), {});
  job.linear_region.scan = ScanKind::adaptive;
  const auto adaptive = estimate_cost(planned(job), {});
  CHECK(adaptive.expected.trials < 0.5 * arithmetic.expected.trials);
  CHECK(adaptive.expected.trials >= 8 * static_cast<double>(planned(job).curves.size()));
  CHECK(adaptive.most.trials == arithmetic.most.trials);
}
