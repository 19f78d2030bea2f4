// The loops written by hand are a yardstick only while they compute what the engine computes.

#include <doctest/doctest.h>

#include <vector>

#include "tests/bench/native_cases.hpp"

using namespace macrostep::bench;

TEST_CASE("the hand-written micro-steps of every native model are the engine's") {
  const auto cases = native_cases();
  CHECK(cases.size() == 52);
  for (const auto& each : cases) {
    std::vector<double> engine(each.states), bare(each.states);
    CAPTURE(each.name);
    CHECK(each.engine(engine));
    CHECK(each.bare(bare));
    CHECK(relative_difference(engine, bare) <= native_tolerance);
  }
}
