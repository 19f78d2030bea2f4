#include "engine/scan/scan.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "tests/engine/plan/planned.hpp"

using namespace macrostep::engine;
using macrostep::tests::planned;

namespace {

Plan adaptive_plan() {
  Job job = find_built_in("linear_oscillator")->default_job;
  job.space.extrapolation = {Extrapolation::order_1};
  job.linear_region.scan = ScanKind::adaptive;
  return planned(job);
}

/// As it would be run.
TrialRecord run(const Plan& plan, const WantedTrial& wanted) {
  const auto key = plan.curves[wanted.curve];
  return {.curve = wanted.curve,
          .index = wanted.index,
          .macro_step_s = wanted.macro_step_s,
          .result = run_trial(plan, {.configuration = &plan.configurations[key.configuration],
                                     .test = &plan.job.tests[key.test],
                                     .macro_step_s = wanted.macro_step_s})};
}

/// All trials of a curve, its gaps filled.
std::vector<TrialRecord> whole(const Plan& plan, std::size_t& with_gaps) {
  StabilityVerdicts verdicts(plan);
  const std::vector<std::size_t> first{0};
  Scan scan(plan, first, verdicts);
  std::vector<TrialRecord> records;
  const auto to_end = [&] {
    while (const auto next = scan.next(0)) {
      records.push_back(run(plan, *next));
      REQUIRE(scan.add(records.back()).size() == 1);
    }
  };
  to_end();
  with_gaps = records.size();
  REQUIRE(scan.has_gaps(0));
  CHECK(scan.fill_gaps(0).empty());
  to_end();
  CHECK_FALSE(scan.has_gaps(0));
  return records;
}

}  // namespace

TEST_CASE("results that come early count when it is their turn, and gaps wait to be filled") {
  const auto plan = adaptive_plan();
  std::size_t with_gaps = 0;
  const auto records = whole(plan, with_gaps);
  REQUIRE(records.size() > with_gaps);
  const std::vector<std::size_t> first{0};
  StabilityVerdicts verdicts(plan);
  Scan scan(plan, first, verdicts);
  CHECK(scan.wanted().size() == 1);
  for (std::size_t i = records.size() - 1; i > 0; --i) {
    CHECK(scan.add(records[i]).empty());
    CHECK(scan.next(0)->index == 0);
  }
  const auto counted = scan.add(records[0]);
  REQUIRE(counted.size() == with_gaps);
  for (std::size_t i = 0; i < with_gaps; ++i) {
    CHECK(counted[i].index == i);
  }
  CHECK_FALSE(scan.next(0));
  CHECK(scan.add(records[1]).empty());  // once more
  CHECK(scan.fill_gaps(0).size() == records.size() - with_gaps);
  CHECK(scan.wanted().empty());
}

TEST_CASE("a scan of stored results fills gaps where one of them lies, and refuses others") {
  const auto plan = adaptive_plan();
  std::size_t with_gaps = 0;
  const auto records = whole(plan, with_gaps);
  const std::vector<std::size_t> first{0};
  StabilityVerdicts verdicts(plan);
  Scan scan(plan, first, verdicts, GoesOn::with_results);
  for (const auto& record : records) {
    CHECK(scan.add(record).size() == 1);
  }
  CHECK(scan.wanted().empty());
  Scan other(plan, first, verdicts, GoesOn::with_results);
  auto wrong = records[0];
  wrong.macro_step_s *= 1.01;
  CHECK(other.add(wrong).empty());
  CHECK(other.next(0)->macro_step_s == records[0].macro_step_s);
  CHECK(other.add(records[0]).size() == 1);
}
