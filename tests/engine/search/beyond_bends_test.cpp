#include "engine/search/beyond_bends.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/scan/curve_flags.hpp"
#include "engine/search/run_search.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/engine/search/fingerprint.hpp"

using namespace macrostep::engine;
using macrostep::tests::fingerprint;
using macrostep::tests::planned;

namespace {

/// Two configurations with curves that bend at 2 ms and complete up to 64 ms.
Answer bent_answer() {
  Answer answer;
  for (std::size_t configuration : {0, 1}) {
    Curve curve{.id = configuration, .key = {.configuration = configuration}};
    for (double macro_step_s = 1e-3; macro_step_s < 0.1; macro_step_s *= 2) {
      curve.points.push_back({.macro_step_s = macro_step_s});
    }
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

  std::optional<BeyondBends> largest(const Plan& plan, const Answer& answer) {
    const std::atomic<bool> stopped = false;
    return go_beyond_bends(
        plan, answer,
        [this](std::size_t configuration, double macro_step_s) {
          steps_s.push_back(macro_step_s);
          return growth_is(macro_step_s <= limits_s[configuration] ? Verdict::agrees
                                                                   : Verdict::objects);
        },
        stopped);
  }
};

/// m 1 kg on 10 and 20 N/m, a spring of 50 N/m between them, dampers of 0.01 N s/m; orders 0 to 3.
Job slow_decay() {
  Job job = macrostep::tests::two_masses();
  auto& first = job.own_problem->subsystems[0].state_space;
  first.a = Eigen::Matrix2d{{0, 1}, {-60, -0.01}};
  first.b = Eigen::MatrixXd{{0, 0, 0}, {50, 1, 0}};
  first.c = Eigen::MatrixXd{{50, 0}};
  first.d = Eigen::MatrixXd{{-50, 0, 0}};
  first.x0.setZero();
  auto& second = job.own_problem->subsystems[1].state_space;
  second.a = Eigen::Matrix2d{{0, 1}, {-20, -0.01}};
  second.x0.setZero();
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_1, Extrapolation::order_2,
                             Extrapolation::order_3};
  job.space.integrators = {{"m1", {macrostep::models::Integrator::exact}},
                           {"m2", {macrostep::models::Integrator::exact}}};
  job.macro_step = {.initial_s = 1e-3, .increment_s = 1e-3, .maximum_s = 0.3};
  job.stability_check = StabilityCheck::identified;
  job.tests.front() = {.name = "step", .kind = TestKind::step, .duration_s = 1};
  return job;
}

}  // namespace

TEST_CASE("growth alone ends H beyond the bends, to 2 % of the smallest that grows") {
  const auto plan = planned(macrostep::tests::two_masses());
  for (const double limit_s : {2.5e-3, 9.9e-3, 0.0311}) {
    Asked asked{.limits_s = {limit_s, limit_s}};
    const auto found = asked.largest(plan, bent_answer());
    REQUIRE(found);
    CHECK(found->configuration == 0);
    CHECK(found->macro_step_s <= limit_s);
    CHECK(found->rejected_s > limit_s);
    CHECK(*found->rejected_s < 1.03 * found->macro_step_s);  // 2 %, and three digits
    CHECK(asked.steps_s.size() <= 11);                       // ln 32 / ln 1.02 = 175 < 2^8
  }
}

TEST_CASE("another configuration is taken where it goes beyond the recommended one") {
  const auto plan = planned(macrostep::tests::two_masses());
  Asked asked{.limits_s = {5e-3, 0.02}};
  const auto found = asked.largest(plan, bent_answer());
  REQUIRE(found);
  CHECK(found->configuration == 1);
  CHECK(found->macro_step_s > 0.0194);
  Asked less{.limits_s = {5e-3, 4.9e-3}};
  const auto own = less.largest(plan, bent_answer());
  REQUIRE(own);
  CHECK(own->configuration == 0);
}

TEST_CASE("where the largest complete trial passes nothing is rejected") {
  const auto plan = planned(macrostep::tests::two_masses());
  auto answer = bent_answer();
  answer.curves[0].points.back().status = TrialStatus::diverged;
  Asked asked{.limits_s = {1, 0}};
  const auto found = asked.largest(plan, answer);
  REQUIRE(found);
  CHECK(found->macro_step_s == 0.032);
  CHECK_FALSE(found->rejected_s);
}

TEST_CASE("only what the job allows is asked beyond the bends") {
  auto job = macrostep::tests::two_masses();
  job.allowed_macro_steps_s = {2e-3, 3e-3, 5e-3, 8e-3, 0.5};
  const auto plan = planned(job);
  Asked asked{.limits_s = {6e-3, 6e-3}};
  const auto found = asked.largest(plan, bent_answer());
  REQUIRE(found);
  CHECK(found->macro_step_s == 5e-3);
  CHECK(found->rejected_s == 8e-3);
}

TEST_CASE("without a recommendation the smallest H tried tells whether to go on") {
  const auto plan = planned(macrostep::tests::two_masses());
  auto answer = bent_answer();
  answer.recommendation.reset();
  Asked asked{.limits_s = {0, 0.01}};
  const auto found = asked.largest(plan, answer);
  REQUIRE(found);
  CHECK(found->configuration == 1);
  CHECK(found->macro_step_s > 0.0097);
  Asked never{.limits_s = {0, 0}};
  CHECK_FALSE(never.largest(plan, answer));
  CHECK(never.steps_s.size() == 2);
}

TEST_CASE("a run that shows the problem not to be linear ends it") {
  const auto plan = planned(macrostep::tests::two_masses());
  std::size_t asked = 0;
  const std::atomic<bool> stopped = false;
  const auto found = go_beyond_bends(
      plan, bent_answer(),
      [&](std::size_t, double) {
        ++asked;
        auto run = growth_is(Verdict::unknown);
        run.is_linear = false;
        return run;
      },
      stopped);
  CHECK_FALSE(found);
  CHECK(asked == 1);
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

TEST_CASE("an accuracy keeps the answer within the bends") {
  auto job = slow_decay();
  job.accuracy = 0.05;
  const auto accurate = run_search(planned(job), {}).answer.recommendation;
  REQUIRE(accurate);
  CHECK(accurate->macro_step_s < 0.05);
  for (const auto& reason : accurate->reasons) {
    CHECK(reason.code != NoticeCode::largest_stable_step);
  }
}
