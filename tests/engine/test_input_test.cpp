#include "engine/test_input.hpp"

#include <doctest/doctest.h>

using namespace macrostep::engine;

namespace {
const ExternalInput valve{
    .to = {"hydraulics", "u_ref"}, .initial = 1, .minimum = -10, .maximum = 5};
}

TEST_CASE("the test inputs are those of eqs. 12-15") {
  const auto step = signal({.kind = TestKind::step, .duration_s = 2}, valve);
  CHECK(step.value(0.999) == 1);
  CHECK(step.value(1) == 5);

  const auto gentle = signal({.kind = TestKind::step, .duration_s = 2, .rise_s = 0.5}, valve);
  CHECK(gentle.value(1.25) == doctest::Approx(3));
  CHECK(gentle.value(1.9) == 5);

  const auto ramp = signal({.kind = TestKind::ramp, .duration_s = 2}, valve);
  CHECK(ramp.value(1) == 1);
  CHECK(ramp.value(1.5) == doctest::Approx(3));
  CHECK(ramp.value(2) == 5);
  CHECK(ramp.value(3) == 5);

  const auto impulse = signal({.kind = TestKind::impulse, .duration_s = 2, .width_s = 0.4}, valve);
  CHECK(impulse.value(0.79) == 1);
  CHECK(impulse.value(0.8) == 5);
  CHECK(impulse.value(1.2) == 1);

  // The amplitude is what fits on both sides of v0: min(5 − 1, 1 + 10) = 4.
  const auto sine = signal({.kind = TestKind::sine, .duration_s = 1, .frequency_hz = 1}, valve);
  CHECK(sine.value(0.25) == doctest::Approx(5));
}

TEST_CASE("a test that names its inputs leaves the others at their initial value") {
  const TestInput step{.kind = TestKind::step, .duration_s = 1, .inputs = {"other.u_ref"}};
  CHECK(signal(step, valve).value(0.9) == 1);
  const TestInput named{.kind = TestKind::step, .duration_s = 1, .inputs = {"hydraulics.u_ref"}};
  CHECK(signal(named, valve).value(0.9) == 5);
}
