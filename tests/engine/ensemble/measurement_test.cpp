#include "engine/ensemble/measurement.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/ensemble/trial_backend.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"

namespace macrostep::tests {

using namespace engine;

TEST_CASE("a reference is followed with or without somebody who takes its points") {
  const auto plan = planned(two_masses());
  const FollowReference asked{.run = {.macro_step_s = 1e-2}, .rows = 5};
  int points = 0;
  RunControl control;
  control.on_point = [&](std::size_t, const TracePoint&) { ++points; };
  CHECK(std::get<FollowedReference>(measure(plan, asked, control)).reason.empty());
  CHECK(points == 5);
  CHECK(std::get<FollowedReference>(measure(plan, asked)).reason.empty());
}

TEST_CASE("of the points of runs every third is told, from the first on, alone and in lanes") {
  auto crane = find_built_in("single_actuator_crane")->default_job;
  for (const auto& plan : {planned(two_masses()), planned(crane)}) {
    std::vector<TrialSpec> specs;
    for (std::size_t test = 0; test < plan.job.tests.size(); ++test) {
      specs.push_back({.configuration = 0, .input = test, .macro_step_s = 1e-3, .until_s = 0.05});
    }
    const auto points = [&](std::span<const TrialSpec> runs, std::int64_t every) {
      std::vector<std::vector<double>> of_run(runs.size());
      this_process().trials(plan, runs,
                            {.on_point =
                                 [&](std::size_t run, const TracePoint& point) {
                                   of_run[run].push_back(point.time_s);
                                   of_run[run].push_back(point.outputs.front());
                                 },
                             .points_every = every});
      return of_run;
    };
    const auto third = points(specs, 3);
    CHECK(points({&specs.front(), 1}, 3).front() == third.front());
    const auto all = points(specs, 1);
    for (std::size_t run = 0; run < specs.size(); ++run) {
      std::vector<double> expected;
      REQUIRE(all[run].size() == 2 * 51);
      for (std::size_t n = 0; n < 51; n += 3) {
        expected.insert(expected.end(), {all[run][2 * n], all[run][2 * n + 1]});
      }
      CHECK(third[run] == expected);
    }
  }
}

}  // namespace macrostep::tests
