#include "engine/ensemble/measurement.hpp"

#include <doctest/doctest.h>

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

}  // namespace macrostep::tests
