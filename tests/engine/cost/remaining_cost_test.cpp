#include "engine/cost/remaining_cost.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/search/run_search.hpp"

using namespace macrostep::engine;

TEST_CASE("what is left is the expectation, less what was done, scaled by curves that have ended") {
  RemainingCost cost({100, 100, 100, 100});
  CHECK(cost.left() == doctest::Approx(400));
  cost.add(0, 30);
  CHECK(cost.done() == 30);
  CHECK(cost.left() == doctest::Approx(370));
  // A curve beyond its expectation is never nearly done.
  cost.add(0, 170);
  CHECK(cost.left() == doctest::Approx(310));
  cost.finish(0);
  // One that took twice as much as expected doubles the others, but for the weight of the prior.
  CHECK(cost.left() == doctest::Approx(300 * (40.0 + 200) / (40 + 100)));
  for (const std::size_t curve : {1, 2, 3}) {
    cost.finish(curve);
  }
  CHECK(cost.left() == doctest::Approx(0));
  CHECK(RemainingCost({}).left() == 0);
}

TEST_CASE("the expected cost of a search comes near its end without jumps") {
  for (const char* problem : {"double_actuator_crane", "hydraulic_manipulator"}) {
    CAPTURE(std::string(problem));
    auto job = find_built_in(problem)->default_job;
    job.stability_check = StabilityCheck::none;  // what is expected is the cost of the trials
    const auto plan = std::get<Plan>(make_plan(job));
    std::vector<SearchProgress> told;
    run_search(plan,
               {.threads = 2, .on_result = [&](const TrialRecord&, const SearchProgress& now) {
                  told.push_back(now);
                }});
    const double total = told.back().cost_done;
    double largest_jump = 0;
    for (std::size_t i = 1; i < told.size(); ++i) {
      CHECK(told[i].cost_expected >= told[i].cost_done);
      const double trial = told[i].cost_done - told[i - 1].cost_done;
      const double change = std::abs(told[i].cost_expected - told[i - 1].cost_expected);
      largest_jump = std::max(largest_jump, (change - trial) / told[i - 1].cost_expected);
    }
    CHECK(largest_jump < 0.3);
    // From the middle on it is within a factor of two.
    for (const auto& now : told) {
      if (now.cost_done > total / 2) {
        CHECK(now.cost_expected < 2 * total);
        CHECK(now.cost_expected > total / 2);
      }
    }
    CHECK(told.back().cost_expected < 1.2 * total);
  }
}
