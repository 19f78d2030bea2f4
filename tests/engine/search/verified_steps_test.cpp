#include "engine/search/verified_steps.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <variant>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/search/run_search.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep::engine;

namespace {

bool never(std::size_t, double) {
  return false;
}

CheckedRun checked(std::string_view check, Verdict verdict) {
  return {.outcomes = {{.check = check, .verdict = verdict}}};
}

/// One configuration in one test: 4 ms by its residual, 2 ms after checks.
Answer cut_answer() {
  Curve curve{.id = 0, .key = {.configuration = 0, .test = 0}};
  curve.measured = {.usable_s = 4e-3, .counts = true};
  curve.usable_s = 2e-3;
  curve.counts = true;
  curve.flags = {std::string(cut_at_checks)};
  Answer answer{.curves = {curve}, .table = {{.test = 0, .configurations = {0}}}};
  answer.table[0].macro_step_s = 4e-3;
  answer.recommendation = {.rule = "max_min", .macro_step_s = 2e-3};
  answer.paper_rule = {.rule = "paper", .macro_step_s = 4e-3};
  return answer;
}

}  // namespace

TEST_CASE("a row says which H of its configuration the checks have passed") {
  VerifiedSteps steps(never);
  steps.add(0, 4e-3, checked("growth", Verdict::objects));
  steps.add(0, 2e-3, checked("growth", Verdict::agrees));
  auto answer = cut_answer();
  steps.mark(answer);
  CHECK(answer.table[0].macro_step_s == 4e-3);
  CHECK(verified_for_all(answer.table[0]) == 2e-3);
  CHECK(answer.recommendation->is_verified());
  CHECK(answer.paper_rule->verified_s == 2e-3);
  CHECK_FALSE(answer.paper_rule->is_verified());
  CHECK(has_flag(answer.curves[0], verified));
  CHECK(has_flag(answer.curves[0], failed_growth));
  CHECK(steps.doubts(*answer.recommendation).empty());
  CHECK(
      steps.doubts(*answer.paper_rule) ==
      std::vector<Notice>{
          {.code = NoticeCode::fails_check, .numbers = {{"macro_step_s", 4e-3}}, .check = "growth"},
          {.code = NoticeCode::smaller_step_verified, .numbers = {{"macro_step_s", 2e-3}}}});
}

TEST_CASE("a configuration is named beside the recommended one where it is verified as that is") {
  auto job = macrostep::tests::two_masses();
  job.tests.front() = {.name = "step", .kind = TestKind::step, .duration_s = 3};
  job.allowed_macro_steps_s = {2e-4};  // hold grows by 1 % in the test, order 1 not in a minute
  job.session_s = 60;
  const auto searched = [&](StabilityCheck check) {
    job.stability_check = check;
    const auto made = make_plan(job);
    const auto answer = run_search(std::get<Plan>(made), {}).answer;
    REQUIRE(answer.recommendation);
    return *answer.recommendation;
  };
  CHECK(searched(StabilityCheck::none).ties.size() == 1);
  const auto by_runs = searched(StabilityCheck::identified);
  CHECK(by_runs.configuration == 1);
  CHECK(by_runs.ties.empty());
}

TEST_CASE("no H in a band of instability is recommended that the grid of the analysis steps over") {
  // It grows between 2.72685 and 2.73732 ms, and nowhere else up to there.
  auto job = macrostep::tests::two_resonators(1e4);
  constexpr double in_band_s = 2.7316e-3;
  for (const auto by : {StabilityCheck::all, StabilityCheck::exact}) {
    for (const bool allowed : {false, true}) {
      for (const double at_s : {in_band_s, in_band_s / growth_margin}) {
        CAPTURE(allowed);
        CAPTURE(at_s);
        job.stability_check = by;
        job.macro_step = {.initial_s = at_s / 10, .increment_s = at_s / 10, .maximum_s = at_s};
        job.allowed_macro_steps_s.clear();
        if (allowed) {
          job.macro_step = {.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 3e-3};
          job.allowed_macro_steps_s = {1e-3, at_s};
        }
        const auto made = make_plan(job);
        const auto answer = run_search(std::get<Plan>(made), {}).answer;
        REQUIRE(answer.recommendation);
        CHECK(answer.recommendation->macro_step_s < 0.9999 * at_s);
      }
    }
  }
}

TEST_CASE("a row says of each of its configurations what is verified, and of all the least") {
  VerifiedSteps steps(never);
  steps.add(0, 4e-3, checked("growth", Verdict::agrees));
  steps.add(1, 4e-3, checked("growth", Verdict::objects));
  steps.add(1, 2e-3, checked("growth", Verdict::agrees));
  auto answer = cut_answer();
  answer.curves.push_back(answer.curves.front());
  answer.curves.back().key.configuration = 1;
  answer.table[0].configurations = {0, 1};
  steps.mark(answer);
  CHECK(answer.table[0].verified_s == std::vector<std::optional<double>>{4e-3, 2e-3});
  CHECK(verified_for_all(answer.table[0]) == 2e-3);

  steps.add(1, 1e-3, checked("growth", Verdict::objects));
  steps.mark(answer);
  CHECK(answer.table[0].verified_s == std::vector<std::optional<double>>{4e-3, std::nullopt});
  CHECK_FALSE(verified_for_all(answer.table[0]));
}

TEST_CASE("what passes without a verdict on its stability is not verified") {
  VerifiedSteps steps(never);
  steps.add(0, 2e-3, checked("change", Verdict::agrees));
  steps.add(0, 2e-3, checked("growth", Verdict::unknown));
  auto answer = cut_answer();
  steps.mark(answer);
  CHECK_FALSE(verified_for_all(answer.table[0]));
  CHECK_FALSE(answer.recommendation->is_verified());
  CHECK_FALSE(has_flag(answer.curves[0], verified));
  CHECK(steps.doubts(*answer.recommendation) ==
        std::vector<Notice>{{.code = NoticeCode::never_shown_stable}});
}

TEST_CASE("what is checked once more and has no verdict then is verified no more") {
  VerifiedSteps steps(never);
  steps.add(0, 2e-3, checked("growth", Verdict::agrees));
  steps.add(0, 1e-3, checked("growth", Verdict::unknown));  // another run says nothing of this one
  CHECK(steps.holds(0, 2e-3));
  steps.add(0, 2e-3, checked("growth", Verdict::unknown));
  CHECK_FALSE(steps.holds(0, 2e-3));
}

TEST_CASE("what has no verdict any more is not verified by a larger H, nor that by it") {
  VerifiedSteps steps(never);
  steps.add(0, 3e-3, checked("growth", Verdict::agrees));
  steps.add(0, 2e-3, checked("growth", Verdict::agrees));
  steps.add(0, 1e-3, checked("growth", Verdict::agrees));
  steps.add(0, 2e-3, checked("growth", Verdict::unknown));
  CHECK_FALSE(steps.holds(0, 2e-3));
  CHECK(steps.holds(0, 1e-3));
  CHECK(steps.holds(0, 3e-3));
  auto answer = cut_answer();
  steps.mark(answer);
  CHECK(answer.recommendation->verified_s == 1e-3);
  CHECK(steps.doubts(*answer.recommendation) ==
        std::vector<Notice>{
            {.code = NoticeCode::smaller_step_verified, .numbers = {{"macro_step_s", 1e-3}}}});
}

TEST_CASE("what fails and passes later passes, and the other way round") {
  VerifiedSteps steps(never);
  steps.add(0, 1e-3, checked("growth", Verdict::agrees));
  steps.add(0, 2e-3, checked("growth", Verdict::objects));
  CHECK(steps.holds(0, 1e-3));
  CHECK_FALSE(steps.holds(0, 2e-3));
  steps.add(0, 2e-3, checked("growth", Verdict::agrees));
  CHECK(steps.holds(0, 2e-3));
  steps.add(0, 1e-3, checked("growth", Verdict::objects));
  CHECK_FALSE(steps.holds(0, 2e-3));
  CHECK_FALSE(steps.holds(0, 1e-3));
}

TEST_CASE("a smaller H that fails takes back what passed above it") {
  VerifiedSteps steps(never);
  steps.add(0, 2e-3, checked("swing", Verdict::agrees));
  steps.add(0, 1e-3, checked("swing", Verdict::objects));
  auto answer = cut_answer();
  steps.mark(answer);
  CHECK_FALSE(verified_for_all(answer.table[0]));
  CHECK(has_flag(answer.curves[0], failed_swing));
}

TEST_CASE("what no run has checked is verified where the exact analysis knows it to be stable") {
  const VerifiedSteps steps([](std::size_t, double macro_step_s) { return macro_step_s < 3e-3; });
  auto answer = cut_answer();
  steps.mark(answer);
  CHECK(verified_for_all(answer.table[0]) == 2e-3);
  CHECK(answer.recommendation->is_verified());
}

TEST_CASE("a search without checks verifies nothing, one with the exact analysis its whole table") {
  auto job = macrostep::tests::two_masses();
  job.stability_check = StabilityCheck::none;
  const auto unchecked = run_search(std::get<Plan>(make_plan(job)), {}).answer;
  for (const auto& row : unchecked.table) {
    CHECK(row.macro_step_s);
    CHECK_FALSE(verified_for_all(row));
  }
  job.stability_check = StabilityCheck::exact;
  const auto exact = run_search(std::get<Plan>(make_plan(job)), {}).answer;
  REQUIRE(exact.table.size() == unchecked.table.size());
  for (std::size_t test = 0; test < exact.table.size(); ++test) {
    // The rows are those of the residual, whatever is checked.
    CHECK(exact.table[test].macro_step_s == unchecked.table[test].macro_step_s);
    CHECK(exact.table[test].configurations == unchecked.table[test].configurations);
    CHECK(verified_for_all(exact.table[test]));
  }
  CHECK(exact.recommendation->is_verified());
}

TEST_CASE("beside an answer with an accuracy only what has met it in runs is named") {
  VerifiedSteps steps([](std::size_t, double) { return true; });
  steps.add(0, 2e-3, checked("change", Verdict::agrees));
  CHECK(steps.has_passed(0, 2e-3));
  CHECK_FALSE(steps.has_passed(0, 2.1e-3));
  CHECK_FALSE(steps.has_passed(1, 2e-3));  // stable, but nobody has looked at its change
  CHECK(steps.holds(1, 2e-3));
}
