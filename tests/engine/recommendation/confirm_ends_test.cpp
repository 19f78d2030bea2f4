// How the search for what passes ends: at its limit, where it is stopped, and at all.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/recommendation/confirm.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/search/run_search.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/recommendation/tempting_answers.hpp"
#include "tests/made_backends.hpp"

using namespace macrostep::engine;
using macrostep::tests::checked_run;
using macrostep::tests::finely_scanned;
using macrostep::tests::found_notice;
using macrostep::tests::has_notice;
using macrostep::tests::number_of;
using macrostep::tests::planned;
using macrostep::tests::tempting_job;

TEST_CASE("at the limit of checks what has passed until then is recommended, or nothing" *
          doctest::test_suite("slow")) {
  const auto& [plan, answer] = finely_scanned();
  const double limit_s = answer.recommendation->macro_step_s / 1.5;
  std::size_t checks = 0;
  std::set<std::pair<std::size_t, double>> passed;
  const auto check = [&](std::size_t configuration, double macro_step_s, Asked) {
    ++checks;
    const bool passes = macro_step_s <= limit_s;
    if (passes) {
      passed.emplace(configuration, macro_step_s);
    }
    return checked_run(passes);
  };
  const auto whole = confirm(plan, answer, check);
  REQUIRE(whole.recommendation);
  const std::size_t most = checks - 1;
  passed.clear();
  const auto few = confirm(plan, answer, check, nullptr, most);
  REQUIRE(few.recommendation);
  CHECK(few.recommendation->macro_step_s <= whole.recommendation->macro_step_s);
  CHECK(passed.contains({few.recommendation->configuration, few.recommendation->macro_step_s}));
  CHECK(few.recommendation->checks.size() == 1);
  CHECK(few.recommendation->reason().find("after " + std::to_string(most) +
                                          " checks the other runs were not checked") !=
        std::string::npos);

  // Where the curves of a configuration have different points, what passed is one of all of them.
  auto uneven = answer;
  for (auto& curve : uneven.curves) {
    if (curve.key.test == 0) {
      std::erase_if(curve.points, [&, n = 0](const CurvePoint&) mutable { return n++ % 2 == 1; });
    }
  }
  for (std::size_t limit = 1; limit <= most; ++limit) {
    const auto ended = confirm(plan, uneven, check, nullptr, limit);
    if (ended.recommendation) {
      CHECK(ended.recommendation->macro_step_s <= limit_s);
      CHECK(ended.recommendation->checks.size() == 1);
    }
  }

  const auto none = confirm(plan, answer, check, nullptr, 1);
  CHECK_FALSE(none.recommendation);
  CHECK(none.reasons.front().code == NoticeCode::all_runs_fail_checks);
  CHECK(number_of(found_notice(none.reasons, NoticeCode::checks_limited), "checks") == 1);
  std::size_t left = 0;
  for (std::size_t c = 0; c < none.curves.size(); ++c) {
    const auto& curve = none.curves[c];
    CHECK_FALSE(curve.usable_s);
    left += curve.limited_by == left_unchecked ? 1 : 0;
    CHECK((curve.limited_by == left_unchecked || curve.limited_by == answer.curves[c].limited_by));
  }
  CHECK(left > 0);
}

TEST_CASE(
    "where curves of a configuration have different points every search for what passes ends" *
    doctest::test_suite("slow")) {
  const auto& [plan, answer] = finely_scanned();
  auto uneven = answer;
  std::set<double> tried;
  for (auto& curve : uneven.curves) {
    for (const auto& point : curve.points) {
      tried.insert(point.macro_step_s);
    }
    if (curve.key.test == 0) {
      std::erase_if(curve.points, [&, n = 0](const CurvePoint&) mutable { return n++ % 2 == 1; });
    }
  }
  for (const double limit_s : tried) {
    CAPTURE(limit_s);
    std::set<std::pair<std::size_t, double>> passed;
    const auto check = [&](std::size_t configuration, double macro_step_s, Asked asked) {
      auto run = checked_run(macro_step_s <= limit_s);
      run.is_whole = asked.in_full;
      if (run.passes() && run.is_whole) {
        passed.emplace(configuration, macro_step_s);
      }
      return run;
    };
    const auto found = confirm(plan, uneven, check).recommendation;
    if (found) {
      CHECK(passed.contains({found->configuration, found->macro_step_s}));
    }
  }
}

TEST_CASE("a stop in a check that costs most leaves nothing that has passed the others alone") {
  const auto& [plan, answer] = finely_scanned();
  std::atomic<bool> stop = false;
  const auto check = [&](std::size_t, double, Asked asked) {
    auto run = checked_run(true);
    run.is_whole = asked.in_full;
    stop = asked.in_full;
    return run;
  };
  const auto recommendation = confirm(plan, answer, check, &stop).recommendation;
  REQUIRE(stop);
  REQUIRE(recommendation);
  CHECK(recommendation->checks.empty());
}

TEST_CASE("a stop between the checks leaves the largest H that has passed") {
  const auto& [plan, answer] = finely_scanned();
  std::atomic<bool> stop = false;
  double passed_s = 0;
  const auto check = [&](std::size_t, double macro_step_s, Asked) {
    stop = passed_s > 0;  // with the first one after one that passed
    const bool stands = macro_step_s <= 0.5 * answer.recommendation->macro_step_s;
    passed_s = stands && !stop ? macro_step_s : passed_s;
    return checked_run(stands);
  };
  const auto recommendation = confirm(plan, answer, check, &stop).recommendation;
  REQUIRE(stop);
  REQUIRE(recommendation);
  CHECK(recommendation->macro_step_s == passed_s);
  CHECK(agrees(recommendation->checks, "growth"));
}

TEST_CASE("a search that is stopped during its checks says that its answer was not checked" *
          doctest::test_suite("slow")) {
  const auto plan = planned(tempting_job(StabilityCheck::identified));
  std::atomic<bool> stop = false;
  const macrostep::tests::TrialsBy stopping([&](const Plan& of, const TrialSettings& run) {
    stop = stop || run.test->name == "free motion";  // the first of a growth probe
    return run_trial(of, run);
  });
  const auto result = run_search(plan, {.threads = 1, .stop = &stop, .backend = &stopping});
  CHECK_FALSE(result.complete);
  const auto& recommendation = result.answer.recommendation;
  REQUIRE(recommendation);
  REQUIRE_FALSE(recommendation->notices.empty());
  CHECK(has_notice(recommendation->notices, NoticeCode::stopped_before_checks));
  CHECK_FALSE(recommendation->confidence);
}
