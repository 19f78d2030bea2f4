#include "engine/ensemble/shared_prefix.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "engine/benchmarks/catalogue.hpp"

using namespace macrostep::engine;

namespace {

constexpr double prefix_step_s = 1e-3;

/// Events are in the middle: of a step at T/2, of an impulse by half its width before.
TestInput step(double duration_s = 1) {
  return {.name = "step", .kind = TestKind::step, .duration_s = duration_s};
}
TestInput impulse(double width_s) {
  return {.name = "impulse", .kind = TestKind::impulse, .duration_s = 1, .width_s = width_s};
}
const TestInput long_sine{
    .name = "sine", .kind = TestKind::sine, .duration_s = 1, .frequency_hz = 5, .amplitude = 1};

/// What trials of these tests with one configuration share at their beginning.
std::vector<SharedPrefix> prefixes_of(const std::vector<TestInput>& tests) {
  const auto plan = std::get<Plan>(make_plan(find_built_in("single_actuator_crane")->default_job));
  std::vector<TrialSettings> settings;
  for (const auto& test : tests) {
    settings.push_back({.configuration = &plan.configurations.front(),
                        .test = &test,
                        .macro_step_s = prefix_step_s});
  }
  TrialList trials;
  for (const auto& one : settings) {
    trials.push_back(&one);
  }
  SignalsOfTests signals(plan.problem, plan.coupling(plan.configurations.front()));
  return shared_prefixes(trials, signals);
}

void check(const SharedPrefix& beginning, std::size_t like, double until_s) {
  CHECK(beginning.like == like);
  CHECK(static_cast<double>(beginning.macro_steps) <= until_s / prefix_step_s + 0.5);
  CHECK(static_cast<double>(beginning.macro_steps) >= until_s / prefix_step_s - 2);
}

}  // namespace

TEST_CASE("a trial is like the earlier one that it parts from last, until their first event") {
  const auto of_two = prefixes_of({impulse(0.2), step(), impulse(0.1)});
  check(of_two[0], 0, 0);
  check(of_two[1], 0, 0.4);
  check(of_two[2], 1, 0.45);
  const auto same = prefixes_of({step(), step()});
  CHECK(same[1].like == 0);
  CHECK(same[1].macro_steps == 999);  // less than all, so that each has an end of its own
}

TEST_CASE(
    "a trial is like the one that makes what it takes over, not like one that takes it, too") {
  // The last one parts from both others at once.
  const auto chained = prefixes_of({step(), impulse(0.1), impulse(0.2)});
  check(chained[1], 0, 0.45);
  check(chained[2], 0, 0.4);
}

TEST_CASE("trials of other lengths, of inputs that move at once and of early events begin alone") {
  const auto prefixes = prefixes_of({step(), step(0.5), long_sine, impulse(0.95)});
  for (std::size_t i = 0; i < prefixes.size(); ++i) {
    CAPTURE(i);
    check(prefixes[i], i, 0);
  }
}

TEST_CASE("a chain of many begins with the one that makes what all take over") {
  // Each next impulse begins earlier than those before, so that it parts from all of them at once.
  std::vector<TestInput> tests;
  for (int i = 0; i < 40; ++i) {
    tests.push_back(impulse(0.1 + 0.01 * i));
  }
  const auto prefixes = prefixes_of(tests);
  for (std::size_t i = 1; i < tests.size(); ++i) {
    CAPTURE(i);
    check(prefixes[i], 0, 0.5 - 0.5 * *tests[i].width_s);
  }
}

TEST_CASE("of very many tests only the latest ones are compared") {
  std::vector<TestInput> tests(100, long_sine);
  for (std::size_t i = 1; i < tests.size(); ++i) {
    tests[i].frequency_hz = 5 + static_cast<double>(i);
  }
  tests.front() = step();
  tests.push_back(impulse(0.1));  // too far from the step
  tests.push_back(step());
  const auto prefixes = prefixes_of(tests);
  check(prefixes[100], 100, 0);
  check(prefixes[101], 100, 0.45);
}
