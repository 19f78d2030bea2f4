#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "engine/verification/run_checks.hpp"
#include "engine/verification/tasks.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/engine/verification/one_thread.hpp"

using namespace macrostep::engine;
using macrostep::tests::has_notice;
using macrostep::tests::number_of;
using macrostep::tests::one_thread;
using macrostep::tests::planned;

TEST_CASE("runs find a band of growth a few percent wide, below H and within its margin") {
  // By matrices outside this program it grows from 2.697 to 2.7735 ms, and nowhere else up to 3.4.
  constexpr double band_begin_s = 2.697e-3;
  constexpr double band_end_s = 2.7735e-3;
  auto job = macrostep::tests::two_resonators(4e4);
  job.stability_check = StabilityCheck::identified;
  job.macro_step = {.initial_s = 1e-4, .increment_s = 1e-4, .maximum_s = 3.3e-3};
  const auto plan = planned(job);
  RunChecks checks(plan, performed_by(plan, one_thread));
  const auto growth_at = [&](double macro_step_s) {
    return checks.check({.growth = true}, 0, macro_step_s).outcomes.front();
  };
  CHECK(growth_at(2.4e-3).verdict == Verdict::agrees);

  // The margin itself grows, lies beyond the band, and H lies beyond it.
  CHECK(growth_at(2.49e-3).verdict == Verdict::objects);
  const auto within_margin = growth_at(2.6e-3);
  CHECK(within_margin.verdict == Verdict::objects);
  CHECK_FALSE(has_notice(within_margin.findings, NoticeCode::smaller_step_grows));
  for (const double macro_step_s : {2.82e-3, 3e-3}) {
    const auto beyond = growth_at(macro_step_s);
    CHECK(beyond.verdict == Verdict::objects);
    REQUIRE(has_notice(beyond.findings, NoticeCode::smaller_step_grows));
    const auto at_s = number_of(beyond.findings.front(), "macro_step_s");
    CHECK(at_s > band_begin_s);
    CHECK(at_s < band_end_s);
  }
}
