#include "engine/problem/test_input.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "engine/base/random.hpp"
#include "engine/plan/random_input.hpp"

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

TEST_CASE("several levers follow a record each, and an input without one stands still") {
  using macrostep::models::Record;
  const auto rising = std::make_shared<Record>(Record{{0, 2}, {0, 4}});
  TestInput levers{.kind = TestKind::recorded, .duration_s = 2};
  levers.records = {{"hydraulics.u_ref", rising},
                    {"mechanics.f", std::make_shared<Record>(Record{{0, 2}, {3, 1}})}};
  CHECK(signal(levers, valve).value(1) == 2);
  CHECK(signal(levers, {.to = {"mechanics", "f"}}).value(1) == 2);
  CHECK(signal(levers, {.to = {"mechanics", "f"}}).value(2) == 1);
  CHECK(signal(levers, {.to = {"other", "f"}, .initial = 7}).value(1) == 7);

  // Equal if the points are.
  auto same = levers;
  same.records["hydraulics.u_ref"] = std::make_shared<Record>(*rising);
  CHECK(same == levers);
  same.records["hydraulics.u_ref"] = std::make_shared<Record>(Record{{0, 2}, {0, 5}});
  CHECK_FALSE(same == levers);
  same.records.erase("hydraulics.u_ref");
  CHECK_FALSE(same == levers);
}

TEST_CASE("random inputs move every input on its own, within its own range, and one alone") {
  const std::vector<ExternalInput> inputs{
      valve, {.to = {"pump", "q"}, .initial = 0, .minimum = 0, .maximum = 100}};
  Random random(3, 1);
  const auto tests = random_inputs(random, inputs, {.shortest_s = 0.1, .duration_s = 10});
  REQUIRE(tests.size() == 4);
  Random again(3, 1);
  const auto in_turn =
      random_inputs(again, inputs, {.shortest_s = 0.1, .duration_s = 10, .most_alone = 6});
  REQUIRE(in_turn.size() == 5);
  CHECK(in_turn[3] == tests[3]);
  CHECK_FALSE(in_turn[4].records.begin()->first == in_turn[3].records.begin()->first);
  for (const auto& test : tests) {
    CAPTURE(test.name);
    std::size_t moving = 0;
    for (const auto& input : inputs) {
      const auto driven = signal(test, input);
      double lowest = input.initial;
      double highest = input.initial;
      for (double time_s = 0; time_s <= 10; time_s += 0.01) {
        lowest = std::min(lowest, driven.value(time_s));
        highest = std::max(highest, driven.value(time_s));
      }
      CHECK(lowest >= input.minimum);
      CHECK(highest <= input.maximum);
      moving += highest > lowest ? 1 : 0;
    }
    CHECK(moving == (test.name.starts_with("prbs of ") ? 1 : 2));
    if (test.name == "prbs") {
      CHECK_FALSE(test.records.at("pump.q")->time_s == test.records.at("hydraulics.u_ref")->time_s);
    }
  }
}

TEST_CASE("sines move all inputs at once, over a share of their ranges") {
  const std::vector<ExternalInput> inputs{
      {.to = {"pump", "q"}, .initial = 20, .minimum = 0, .maximum = 100},
      {.to = {"pump", "p"}, .initial = 0, .minimum = -1, .maximum = 1}};
  const std::array frequencies_hz{2.0, 25.0};
  const auto list = sines(inputs, 0.5, frequencies_hz, 40, 3);
  REQUIRE(list.size() == 2);
  CHECK(list[0].name == "sine of 2 Hz");
  CHECK(list[0].duration_s == 3);
  CHECK(list[1].duration_s == doctest::Approx(40 / 25.0));
  const auto flow = signal(list[1], inputs[0]);
  CHECK(flow.value(0) == 20);
  CHECK(flow.value(0.01) == doctest::Approx(60));  // a quarter of a period
  CHECK(flow.value(0.03) == doctest::Approx(10));
  CHECK(signal(list[1], inputs[1]).value(0.41) == doctest::Approx(0.5));
  CHECK(sines({}, 1, frequencies_hz, 40, 3).empty());
}

TEST_CASE("steady random inputs keep to a pace and a part of the range, and one sometimes alone") {
  const std::vector<ExternalInput> inputs{
      valve, {.to = {"pump", "q"}, .initial = 20, .minimum = 0, .maximum = 100}};
  using enum Steady;
  const std::vector kinds{levels,   joystick, sine,  chirp,  levels,
                          joystick, sine,     chirp, levels, prbs};
  const RandomTimes times{.shortest_s = 0.1,
                          .duration_s = 40,
                          .share = 0.5,
                          .longest_per_shortest = 40,
                          .most_changes = 400};
  Random random(5, 0);
  const auto tests = steady_random_inputs(random, inputs, times, kinds);
  REQUIRE(tests.size() == kinds.size());
  std::size_t alone = 0;
  for (std::size_t n = 0; n < tests.size(); ++n) {
    CAPTURE(tests[n].name);
    CHECK(tests[n].duration_s <= 40);
    CHECK((tests[n].records.size() == 1 || tests[n].records.size() == 2));
    alone += tests[n].records.size() == 1 ? 1 : 0;
    for (const auto& input : inputs) {
      const auto driven = signal(tests[n], input);
      const double low = input.initial + 0.5 * (input.minimum - input.initial);
      const double high = input.initial + 0.5 * (input.maximum - input.initial);
      for (double time_s = 0; time_s <= 40; time_s += 0.01) {
        CHECK_GE(driven.value(time_s), low - 1e-12);
        CHECK_LE(driven.value(time_s), high + 1e-12);
      }
    }
    if (kinds[n] == prbs) {  // from one end of the share to the other
      for (const auto& [to, record] : tests[n].records) {
        const auto& input = to == inputs[0].to.text() ? inputs[0] : inputs[1];
        for (const double value : record->value) {
          const double from_rest = std::abs(value - input.initial);
          CHECK((from_rest == doctest::Approx(0.5 * (input.maximum - input.initial)) ||
                 from_rest == doctest::Approx(0.5 * (input.initial - input.minimum))));
        }
      }
    }
    if (kinds[n] == levels) {  // no change takes more than four times another one
      const auto& time_s = tests[n].records.begin()->second->time_s;
      double shortest_s = 40;
      double longest_s = 0;
      for (std::size_t k = 1; k < time_s.size(); ++k) {
        shortest_s = std::min(shortest_s, time_s[k] - time_s[k - 1]);
        longest_s = std::max(longest_s, time_s[k] - time_s[k - 1]);
      }
      CHECK(longest_s <= 4 * shortest_s);
      CHECK(shortest_s >= 0.1);
    }
  }
  CHECK(alone > 0);
  CHECK(alone < tests.size());
  CHECK(steady_random_inputs(random, {}, times, kinds).empty());
}
