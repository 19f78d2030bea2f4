#include "engine/recommendation/confirm.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/recommendation/recommend.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/search/run_search.hpp"
#include "engine/stability/stability.hpp"
#include "engine/study/draw_problem.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/recommendation/tempting_answers.hpp"
#include "tests/made_backends.hpp"

using namespace macrostep::engine;
using macrostep::tests::checked_run;
using macrostep::tests::codes_of;
using macrostep::tests::finely_scanned;
using macrostep::tests::found_notice;
using macrostep::tests::has_notice;
using macrostep::tests::limit_of;
using macrostep::tests::number_of;
using macrostep::tests::planned;
using macrostep::tests::tempting_job;
using macrostep::tests::unchecked;

namespace {

/// Whose growth is not known, and what is known instead.
CheckedRun without_growth(Verdict swing) {
  CheckedRun run;
  run.outcomes = {{.check = "growth"}, {.check = "swing", .verdict = swing}};
  return run;
}
}  // namespace

TEST_CASE("a search by outputs alone stays below the exact limit where the residual does not" *
          doctest::test_suite("slow")) {
  const auto unchecked = planned(tempting_job(StabilityCheck::none));
  const auto tempted = run_search(unchecked, {}).answer.recommendation;
  REQUIRE(tempted);
  CHECK(tempted->macro_step_s > limit_of(unchecked, tempted->configuration));
  CHECK(tempted->checks.empty());

  const auto plan = planned(tempting_job(StabilityCheck::identified));
  const auto answer = run_search(plan, {.threads = 1}).answer;
  const auto& recommendation = answer.recommendation;
  REQUIRE(recommendation);
  CHECK(recommendation->macro_step_s <= limit_of(plan, recommendation->configuration));
  REQUIRE(recommendation->checks.size() == 1);
  CHECK(recommendation->checks.front().check == "growth");
  CHECK(recommendation->checks.front().verdict == Verdict::agrees);
  CHECK(has_notice(recommendation->reasons, NoticeCode::run_fails_check));
  REQUIRE(recommendation->growth);
  CHECK(recommendation->growth->by == VerdictBy::identified);
  const auto modes = exact_modes(plan, plan.configurations.front());
  CHECK(recommendation->growth->session_s == session_s(plan, &*modes));  // one, however found
  const auto cut = std::ranges::count_if(
      answer.curves, [](const Curve& curve) { return has_flag(curve, cut_at_checks); });
  CHECK(cut > 0);
  for (const auto& curve : answer.curves) {
    CHECK(curve.usable_s.value_or(0) < curve.rejected_from_s.value_or(1e9));
  }
  const auto again = run_search(plan, {.threads = 2}).answer.recommendation;
  REQUIRE(again);
  CHECK(again->configuration == recommendation->configuration);
  CHECK(again->macro_step_s == recommendation->macro_step_s);
  CHECK(again->checks.front().value == recommendation->checks.front().value);
}

TEST_CASE("what a check rejects is used up to a smaller macro-step, and ranked anew") {
  const auto& [plan, answer] = unchecked();
  const auto first = *answer.recommendation;
  const auto rejecting = [](auto rejects) {
    return [rejects](std::size_t configuration, double macro_step_s, Asked) {
      return checked_run(!rejects(configuration, macro_step_s));
    };
  };
  const auto recommendation =
      confirm(plan, answer, rejecting([&](std::size_t configuration, double) {
                return configuration == first.configuration;
              }))
          .recommendation;
  REQUIRE(recommendation);
  CHECK(recommendation->configuration != first.configuration);
  CHECK(recommendation->macro_step_s <= first.macro_step_s);
  CHECK(recommendation->reason().find("nothing moves") != std::string::npos);

  const auto smaller = confirm(plan, answer, rejecting([&](std::size_t, double macro_step_s) {
                                 return macro_step_s >= first.macro_step_s;
                               }))
                           .recommendation;
  REQUIRE(smaller);
  CHECK(smaller->macro_step_s < first.macro_step_s);

  const auto none = confirm(plan, answer, rejecting([](std::size_t, double) { return true; }));
  CHECK_FALSE(none.recommendation);
  CHECK(none.reasons.front().code == NoticeCode::all_runs_fail_checks);
  CHECK(has_notice(none.reasons, NoticeCode::lower_first_macro_step));
  CHECK(codes_of(found_notice(none.reasons, NoticeCode::run_fails_check).causes) ==
        std::vector{NoticeCode::nothing_moves});
  CHECK(std::ranges::none_of(none.curves, &Curve::counts));
  for (const auto& curve : none.curves) {
    CHECK(has_flag(curve, rejected_by_checks) != has_flag(curve, cut_at_checks));
    CHECK(has_flag(curve, rejected_by_checks) == !curve.usable_s);
    CHECK(curve.limited_by == (curve.usable_s ? cut_at_checks : rejected_by_checks));
  }
}

TEST_CASE("a run whose growth is known is recommended before any of which it is not") {
  const auto& [plan, answer] = unchecked();
  const auto first = *answer.recommendation;

  SUBCASE("of another configuration") {
    const auto found =
        confirm(plan, answer, [&](std::size_t c, double, Asked) {
          return c == first.configuration ? without_growth(Verdict::agrees) : checked_run(true);
        }).recommendation;
    REQUIRE(found);
    CHECK(found->configuration != first.configuration);
    CHECK(found->checks.size() == 1);
  }
  SUBCASE("of a smaller macro-step") {
    const double known_s = first.macro_step_s / 3;
    std::set<double> asked;
    const auto found =
        confirm(plan, answer, [&](std::size_t c, double macro_step_s, Asked) {
          if (c == first.configuration) {
            asked.insert(macro_step_s);
          }
          return macro_step_s > known_s ? without_growth(Verdict::agrees) : checked_run(true);
        }).recommendation;
    REQUIRE(found);
    CHECK(found->macro_step_s <= known_s);
    CHECK(found->macro_step_s * 2 > known_s);
    CHECK(found->checks.front().verdict == Verdict::agrees);
    CHECK(asked.size() > 2);
  }
  SUBCASE("and one in which nothing grows before one that may by a tenth in a session") {
    const auto answered = confirm(plan, answer, [&](std::size_t c, double, Asked) {
      auto run = checked_run(true);
      run.outcomes.front().within_session = c == first.configuration;
      return run;
    });
    REQUIRE(answered.recommendation);
    CHECK(answered.recommendation->configuration != first.configuration);
    const auto flagged = std::ranges::count_if(answered.curves, [&](const Curve& curve) {
      return curve.key.configuration == first.configuration &&
             has_flag(curve, cut_at_session_growth);
    });
    CHECK(flagged > 0);
    const auto alone = confirm(plan, answer, [&](std::size_t, double, Asked) {
                         auto run = checked_run(true);
                         run.outcomes.front().within_session = true;
                         return run;
                       }).recommendation;
    REQUIRE(alone);
    CHECK(alone->configuration == first.configuration);
    CHECK(alone->macro_step_s == first.macro_step_s);
  }
  SUBCASE("where it is known of none, the swing decides") {
    std::set<std::size_t> asked_for_growth;
    const auto found =
        confirm(plan, answer, [&](std::size_t c, double, Asked asked) {
          if (asked.evidence == Evidence::growth) {
            asked_for_growth.insert(c);
          }
          return without_growth(c == first.configuration ? Verdict::unknown : Verdict::agrees);
        }).recommendation;
    REQUIRE(found);
    CHECK(found->configuration != first.configuration);
    CHECK(found->checks.back().verdict == Verdict::agrees);
    CHECK(asked_for_growth.size() <= 2 * most_without_growth);
  }
  SUBCASE("where little is known of any, the first is recommended as it is") {
    const auto found = confirm(plan, answer, [](std::size_t, double, Asked) {
                         return without_growth(Verdict::unknown);
                       }).recommendation;
    REQUIRE(found);
    CHECK(found->configuration == first.configuration);
    CHECK(found->macro_step_s == first.macro_step_s);
  }
  SUBCASE("where no run follows most inputs, nothing is recommended, and the run is named") {
    const auto none = confirm(plan, answer, [](std::size_t, double, Asked) {
      auto run = without_growth(Verdict::unknown);
      run.outcomes.back().most_left_out = true;
      return run;
    });
    CHECK_FALSE(none.recommendation);
    REQUIRE(codes_of(none.reasons) == std::vector{NoticeCode::no_run_follows});
    CHECK(number_of(none.reasons.front(), "macro_step_s") == first.macro_step_s);
    const auto some = confirm(plan, answer, [&](std::size_t c, double, Asked) {
                        auto run = without_growth(Verdict::unknown);
                        run.outcomes.back().most_left_out = c == first.configuration;
                        return run;
                      }).recommendation;
    REQUIRE(some);
    CHECK(some->configuration != first.configuration);
  }
  SUBCASE("but not before what objects") {
    const auto found = confirm(plan, answer, [&](std::size_t, double macro_step_s, Asked) {
                         return macro_step_s == first.macro_step_s
                                    ? checked_run(false)
                                    : without_growth(Verdict::unknown);
                       }).recommendation;
    REQUIRE(found);
    CHECK(found->macro_step_s < first.macro_step_s);
    CHECK(has_notice(found->reasons, NoticeCode::run_fails_check));
  }
}

TEST_CASE("where every run fails, the one that fails by least is named") {
  const auto& [plan, answer] = unchecked();
  double smallest_s = answer.recommendation->macro_step_s;
  std::size_t nearest = 0;
  const auto rejected = [&](std::size_t configuration, double macro_step_s, Asked) {
    if (macro_step_s < smallest_s) {
      smallest_s = macro_step_s;
      nearest = configuration;
    }
    auto run = checked_run(false);
    run.outcomes.back().check = "swing";
    run.outcomes.back().value = macro_step_s;
    run.outcomes.back().limit = 1e-9;
    return run;
  };
  const auto none = confirm(plan, answer, rejected);
  REQUIRE_FALSE(none.recommendation);
  CHECK(has_notice(none.reasons, NoticeCode::other_runs_fail));
  const auto nearly = found_notice(none.reasons, NoticeCode::nearest_to_limit);
  CHECK(nearly.subject == "(" + describe(plan.configurations[nearest]) + ")");
  CHECK(nearly.check == "swing");
  CHECK(number_of(nearly, "macro_step_s") == smallest_s);
  CHECK(number_of(nearly, "value") == smallest_s);
  CHECK(number_of(nearly, "limit") == 1e-9);
}

TEST_CASE("the checks that cost most are made only of what would be recommended") {
  const auto& [plan, answer] = finely_scanned();
  const double quick_s = answer.recommendation->macro_step_s / 1.5;
  for (const double full_s : {quick_s, quick_s / 3}) {
    CAPTURE(full_s);
    std::size_t quick = 0;
    std::vector<double> in_full;
    const auto found = confirm(plan, answer, [&](std::size_t, double macro_step_s, Asked asked) {
                         auto run = checked_run(macro_step_s <= (asked.in_full ? full_s : quick_s));
                         run.is_whole = asked.in_full;
                         if (asked.in_full) {
                           in_full.push_back(macro_step_s);
                         } else {
                           ++quick;
                         }
                         return run;
                       }).recommendation;
    REQUIRE(found);
    CHECK(found->macro_step_s <= full_s);
    CHECK(found->macro_step_s * plan.job.linear_region.ratio > full_s * (1 - 1e-9));
    CHECK(std::ranges::find(in_full, found->macro_step_s) != in_full.end());
    CHECK(in_full.size() < quick);
    if (full_s == quick_s) {
      CHECK(in_full == std::vector{found->macro_step_s});
    }
  }
}

TEST_CASE("where one configuration stands, others are asked for a larger H alone") {
  const auto& [plan, answer] = finely_scanned();
  const double limit_s = answer.recommendation->macro_step_s / 3;
  std::optional<double> stands_s;
  std::map<std::size_t, int> asked;  // by configuration, while another one stands
  std::size_t first = 0;
  const auto recommendation =
      confirm(plan, answer, [&](std::size_t configuration, double macro_step_s, Asked) {
        if (!stands_s) {
          first = configuration;
        } else if (configuration != first) {
          CHECK(macro_step_s >= *stands_s);
          ++asked[configuration];
        }
        const bool stands = macro_step_s <= limit_s;
        if (stands) {
          stands_s = std::max(stands_s.value_or(0), macro_step_s);
        }
        return checked_run(stands);
      }).recommendation;
  REQUIRE(recommendation);
  CHECK(recommendation->macro_step_s == stands_s);
  CHECK_FALSE(asked.empty());
  for (const auto& [configuration, count] : asked) {
    CAPTURE(configuration);
    CHECK(count <= 2);  // above what stands, and with that H, if it is cheaper
  }
}

TEST_CASE("the largest macro-step that stands is found by halves, among many") {
  const auto& [plan, answer] = finely_scanned();
  const double limit_s = answer.recommendation->macro_step_s / 7.3;
  std::map<std::size_t, int> asked;  // by configuration
  const auto recommendation =
      confirm(plan, answer, [&](std::size_t configuration, double macro_step_s, Asked) {
        ++asked[configuration];
        return checked_run(macro_step_s <= limit_s);
      }).recommendation;
  REQUIRE(recommendation);
  CHECK(recommendation->macro_step_s <= limit_s);
  CHECK(recommendation->macro_step_s * plan.job.linear_region.ratio > limit_s * (1 - 1e-9));
  REQUIRE(recommendation->checks.size() == 1);
  CHECK(recommendation->checks.front().verdict == Verdict::agrees);
  // The largest, log2 of 7.3 halves of H, and of the 15 macro-steps between the last two.
  constexpr int most = 1 + 3 + 4;
  for (const auto& [configuration, count] : asked) {
    CAPTURE(configuration);
    CHECK(count <= most);
  }
}
TEST_CASE("of allowed macro-steps, one that no trial reached down to is not used after a cut" *
          doctest::test_suite("slow")) {
  auto job = tempting_job(StabilityCheck::none);
  const auto first = *run_search(planned(job), {}).answer.recommendation;
  const double tried_s = job.macro_step.initial_s;
  job.allowed_macro_steps_s = {tried_s / 100, 2 * tried_s, first.macro_step_s};
  const auto plan = planned(job);
  const auto answer = run_search(plan, {}).answer;
  REQUIRE(answer.recommendation);
  std::set<double> asked;
  const auto none = confirm(plan, answer, [&](std::size_t, double macro_step_s, Asked) {
    asked.insert(macro_step_s);
    return checked_run(false);
  });
  CHECK_FALSE(none.recommendation);
  CHECK(*asked.begin() == 2 * tried_s);
}
