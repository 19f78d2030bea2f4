#include "models/subsystem/signal.hpp"

#include <doctest/doctest.h>

#include <limits>

using macrostep::models::Record;
using macrostep::models::Signal;

TEST_CASE("a pulse is base, peak and base again, with the line between them") {
  const Signal signal{.base = 1, .peak = 5, .begin_s = 0.5, .full_s = 0.7, .end_s = 0.9};
  CHECK(signal.value(0.49) == 1);
  CHECK(signal.value(0.6) == doctest::Approx(3));
  CHECK(signal.value(0.7) == 5);
  CHECK(signal.value(0.89) == 5);
  CHECK(signal.value(0.9) == 1);
}

TEST_CASE("a constant never begins") {
  CHECK(Signal{.base = 2, .peak = 9}.value(1e9) == 2);
}

TEST_CASE("a signal is constant between times without an event, both included") {
  const Signal impulse{.base = 1, .peak = 3, .begin_s = 0.2, .full_s = 0.2, .end_s = 0.4};
  CHECK(impulse.is_constant(0, 0.1));
  CHECK(impulse.is_constant(0.2, 0.3));
  CHECK(impulse.is_constant(0.4, 9));
  CHECK_FALSE(impulse.is_constant(0.1, 0.2));  // reached at its end
  CHECK_FALSE(impulse.is_constant(0.3, 0.4));
  CHECK_FALSE(impulse.is_constant(0.1, 0.5));  // base at both, peak between
  const Signal ramp{.base = 1, .peak = 3, .begin_s = 0.2, .full_s = 0.4};
  CHECK_FALSE(ramp.is_constant(0.25, 0.3));
  CHECK(ramp.is_constant(0.4, 0.5));
  CHECK_FALSE(Signal{.amplitude = 1, .frequency_hz = 35}.is_constant(0, 0.1));
}

TEST_CASE("a record is constant between its points where it holds them, and along a flat line") {
  const Record levels{.time_s = {0, 1, 2}, .value = {3, 5, 5}, .linear = false};
  const Record lines{.time_s = {0, 1, 2}, .value = {3, 5, 5}};
  const Signal held{.record = &levels};
  CHECK(held.is_constant(0, 0.9));
  CHECK_FALSE(held.is_constant(0.5, 1));  // reached at its end
  CHECK(held.is_constant(1, 1.5));
  CHECK(held.is_constant(2, 9));
  CHECK(held.next_event_s(0.5) == 1);
  CHECK(held.next_event_s(2) == std::numeric_limits<double>::infinity());
  const Signal straight{.record = &lines};
  CHECK_FALSE(straight.is_constant(0.2, 0.3));
  CHECK(straight.is_constant(1, 1.5));
  CHECK(straight.is_constant(-2, -1));
  CHECK_FALSE(straight.is_constant(-1, 0.5));
}

TEST_CASE("an event counts as reached when rounding puts the time a hair before it") {
  const Signal step{.base = 0, .peak = 1, .begin_s = 0.3, .full_s = 0.3};
  const double just_below = 3 * 0.1 - 1e-16;
  CHECK(step.value(just_below) == 1);
  CHECK(step.value(0.3 - 1e-9) == 0);
}

TEST_CASE("a sine starts at its base and rises") {
  const Signal sine{.base = 1, .amplitude = 2, .frequency_hz = 5};
  CHECK(sine.value(0) == 1);
  CHECK(sine.value(0.05) == doctest::Approx(3));
  CHECK(sine.value(0.15) == doctest::Approx(-1));
}
