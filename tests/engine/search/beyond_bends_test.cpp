#include "engine/search/beyond_bends.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "engine/scan/curve_flags.hpp"
#include "engine/scan/scan.hpp"
#include "engine/search/course.hpp"
#include "engine/search/run_search.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/engine/search/fingerprint.hpp"

using namespace macrostep::engine;
using macrostep::tests::codes_of;
using macrostep::tests::fingerprint;
using macrostep::tests::planned;
using macrostep::tests::slow_decay;

namespace {

/// Two configurations with curves that bend at 2 ms and complete up to 64 ms.
Answer bent_answer() {
  Answer answer;
  for (std::size_t configuration : {0, 1}) {
    Curve curve{.id = configuration, .key = {.configuration = configuration}};
    for (double macro_step_s = 1e-3; macro_step_s < 0.1; macro_step_s *= 2) {
      curve.points.push_back({.macro_step_s = macro_step_s});
    }
    curve.region.fit = PowerLaw{.coefficient = 1, .exponent = 1};
    curve.usable_s = 2e-3;
    curve.counts = true;
    answer.curves.push_back(curve);
  }
  answer.recommendation = {.rule = "max_min", .configuration = 0, .macro_step_s = 2e-3};
  return answer;
}

CheckedRun growth_is(Verdict verdict) {
  return {.outcomes = {{.check = "growth", .verdict = verdict}}};
}

struct Asked {
  std::vector<double> limits_s;  ///< by configuration
  std::vector<double> steps_s = {};
  CheckedRun beyond = growth_is(Verdict::objects);

  StableSteps largest(const Answer& answer, const Plan& plan = two_masses_plan()) {
    const std::atomic<bool> stopped = false;
    return largest_stable_steps(
        plan, answer,
        [this](std::size_t configuration, double macro_step_s) {
          steps_s.push_back(macro_step_s);
          return macro_step_s <= limits_s[configuration] ? growth_is(Verdict::agrees) : beyond;
        },
        stopped);
  }

  static const Plan& two_masses_plan() {
    static const Plan plan = planned(macrostep::tests::two_masses());
    return plan;
  }
};

}  // namespace

TEST_CASE("growth alone ends H beyond the bends, to 2 % of the smallest that grows") {
  for (const double limit_s : {2.5e-3, 9.9e-3, 0.0311}) {
    Asked asked{.limits_s = {limit_s, 0}};
    const auto found = asked.largest(bent_answer());
    REQUIRE(found.list.size() == 1);
    const auto& step = found.list.front();
    CHECK(step.configuration == 0);
    CHECK(step.macro_step_s <= limit_s);
    CHECK(step.failed_s > limit_s);
    CHECK(*step.failed_s < 1.03 * step.macro_step_s);  // 2 %, and three digits
    CHECK(step.failed_by == cut_at_checks);
    CHECK(codes_of(step.failure) == std::vector{NoticeCode::run_fails_check});
    CHECK_FALSE(found.is_limited);
    CHECK(asked.steps_s.size() <= 12);  // ln 32 / ln 1.02 = 175 < 2^8, and two leaps
  }
}

TEST_CASE("what passes covers an eighth of its H, and no leap is larger") {
  auto answer = bent_answer();
  answer.recommendation->macro_step_s = 1e-3;
  Asked asked{.limits_s = {1, 0}};
  const auto found = asked.largest(answer);
  REQUIRE(found.list.size() == 1);
  CHECK(found.list.front().macro_step_s == 0.064);
  CHECK_FALSE(found.list.front().failed_s);
  REQUIRE(asked.steps_s.size() > 2);
  double before_s = 1e-3;
  for (const double at_s : asked.steps_s) {
    CHECK(at_s <= growth_grid_depth * before_s);
    before_s = std::max(before_s, at_s);
  }
}

TEST_CASE("an H to which a check has objected ends it, although a larger one would pass") {
  auto answer = bent_answer();
  answer.curves[0].rejected_from_s = 0.016;
  Asked asked{.limits_s = {1, 0}};
  const auto found = asked.largest(answer);
  REQUIRE(found.list.size() == 1);
  CHECK(found.list.front().macro_step_s < 0.016);
  CHECK(found.list.front().macro_step_s > 0.0155);
  CHECK(found.list.front().failed_s == 0.016);
  CHECK(found.list.front().failed_by == cut_at_checks);
  answer.curves[0].flags = {std::string(cut_at_session_growth)};
  CHECK(asked.largest(answer).list.front().failed_by == cut_at_session_growth);
}

TEST_CASE("other configurations are taken where they go as far as the recommended one, or beyond") {
  Asked further{.limits_s = {5e-3, 0.02}};
  const auto found = further.largest(bent_answer());
  REQUIRE(found.list.size() == 2);
  CHECK(found.list[1].configuration == 1);
  CHECK(found.list[1].macro_step_s > 0.0194);
  Asked less{.limits_s = {5e-3, 4e-3}};
  CHECK(less.largest(bent_answer()).list.size() == 1);

  auto job = macrostep::tests::two_masses();
  job.allowed_macro_steps_s = {2e-3, 3e-3, 5e-3, 8e-3, 0.5};
  const auto plan = planned(job);
  Asked alike{.limits_s = {6e-3, 7e-3}};
  const auto allowed = alike.largest(bent_answer(), plan);
  REQUIRE(allowed.list.size() == 2);
  for (const auto& step : allowed.list) {
    CHECK(step.macro_step_s == 5e-3);
    CHECK(step.failed_s == 8e-3);
  }
}

TEST_CASE("where the largest complete trial passes nothing is rejected") {
  auto answer = bent_answer();
  answer.curves[0].points.back().status = TrialStatus::diverged;
  Asked asked{.limits_s = {1, 0}};
  const auto found = asked.largest(answer);
  REQUIRE(found.list.size() == 1);
  CHECK(found.list.front().macro_step_s == 0.032);
  CHECK_FALSE(found.list.front().failed_s);
}

TEST_CASE("without a recommendation the smallest H tells whether to go on") {
  auto answer = bent_answer();
  answer.recommendation.reset();
  Asked asked{.limits_s = {0, 0.01}};
  const auto found = asked.largest(answer);
  REQUIRE(found.list.size() == 1);
  CHECK(found.list.front().configuration == 1);
  CHECK(found.list.front().macro_step_s > 0.0097);
  Asked never{.limits_s = {0, 0}};
  CHECK(never.largest(answer).list.empty());
  CHECK(never.steps_s == std::vector{1e-3, 1e-3});
}

TEST_CASE("what is not known, or allowed in a session, ends H with its own flag") {
  Asked unknown{.limits_s = {5e-3, 0}, .beyond = growth_is(Verdict::unknown)};
  CHECK(unknown.largest(bent_answer()).list.front().failed_by == cut_at_unknown_growth);
  auto session = growth_is(Verdict::agrees);
  session.outcomes.front().within_session = true;
  Asked allowed{.limits_s = {5e-3, 0}, .beyond = session};
  CHECK(allowed.largest(bent_answer()).list.front().failed_by == cut_at_session_growth);
  auto around_states = growth_is(Verdict::agrees);
  around_states.is_linear = false;
  Asked other{.limits_s = {5e-3, 0}, .beyond = around_states};
  CHECK(other.largest(bent_answer()).list.front().macro_step_s <= 5e-3);
}

TEST_CASE("a run that shows the problem not to be linear ends it") {
  auto run = growth_is(Verdict::unknown);
  run.outcomes.front().findings = {{.code = NoticeCode::outputs_not_linear}};
  Asked asked{.limits_s = {0, 0}, .beyond = run};
  CHECK(asked.largest(bent_answer()).list.empty());
  CHECK(asked.steps_s.size() == 1);
}

TEST_CASE("a damped rig gets by runs alone the H that its matrices allow, wherever it bends") {
  // By matrices outside this program ρ = 1 at 11.7, 75.8 and 47.8 ms for orders 1, 2 and 3.
  const auto plan = planned(slow_decay());
  const auto result = run_search(plan, {.threads = 1});
  const auto& best = result.answer.recommendation;
  REQUIRE(best);
  CHECK(plan.configurations[best->configuration].extrapolation == Extrapolation::order_2);
  CHECK(best->macro_step_s <= 0.0758 / 1.1);
  CHECK(best->macro_step_s >= 0.95 * 0.0758 / 1.1);
  CHECK(best->is_verified());
  REQUIRE(best->growth);
  CHECK(best->growth->by == VerdictBy::identified);
  CHECK(macrostep::tests::has_notice(best->reasons, NoticeCode::largest_stable_step));
  CHECK(macrostep::tests::has_notice(best->reasons, NoticeCode::run_fails_check));
  const auto& curve = result.answer.curves[best->configuration];
  CHECK(curve.usable_s == best->macro_step_s);
  CHECK(1 / best->macro_step_s < plan.job.minimum_macro_steps);  // of its test
  CHECK(
      std::ranges::binary_search(curve.points, best->macro_step_s, {}, &CurvePoint::macro_step_s));
  CHECK(fingerprint(run_search(plan, {.threads = 2})) == fingerprint(result));
}

TEST_CASE("the trials at the H found are asked for, stored and taken up again") {
  const auto plan = planned(slow_decay());
  std::vector<TrialRecord> records;
  const auto whole = run_search(
      plan, {.threads = 1,
             .on_result = [&](const auto& record, const auto&) { records.push_back(record); }});
  REQUIRE(whole.answer.recommendation);
  const double found_s = whole.answer.recommendation->macro_step_s;
  CHECK(std::ranges::find(records, found_s, &TrialRecord::macro_step_s) != records.end());
  std::ranges::stable_sort(records, {}, &TrialRecord::curve);
  std::size_t ran = 0;
  const auto resumed = run_search(
      plan,
      {.threads = 1, .on_result = [&](const auto&, const auto&) { ++ran; }, .stored = records});
  CHECK(ran == 0);
  CHECK(fingerprint(resumed) == fingerprint(whole));
  StabilityVerdicts verdicts(plan);
  Scan replayed(plan, all_curves(plan), verdicts, GoesOn::with_results);
  for (const auto& record : records) {
    CHECK_FALSE(replayed.add(record).empty());
  }
  CHECK(replayed.wanted().empty());
}

TEST_CASE("a limit of the residual keeps the answer within the bends") {
  auto job = slow_decay();
  job.relative_residual_max = 0.9;
  const auto limited = run_search(planned(job), {}).answer;
  REQUIRE(limited.recommendation);
  for (const auto& curve : limited.curves) {
    CHECK_FALSE(has_flag(curve, limited_by_rate));
  }
}
