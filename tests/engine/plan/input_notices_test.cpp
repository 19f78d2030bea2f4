// What is told of test inputs, of the runs that they hardly reach, and of runs that diverge.
#include "engine/plan/input_notices.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/trial/run_notices.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep;
using namespace macrostep::engine;

namespace {

/// Two masses, the first one driven between -1 and 1 N by this test.
Plan plan_of(const TestInput& test, std::optional<double> until_s = std::nullopt) {
  auto job = macrostep::tests::two_masses();
  job.tests = {test};
  job.macro_step = {.initial_s = 1e-3, .increment_s = 1e-3, .maximum_s = 1e-3};
  return std::get<Plan>(make_plan(job, until_s));
}

TestInput recorded(const models::Record& record) {
  return {.name = "rig",
          .kind = TestKind::recorded,
          .duration_s = 2,
          .record = std::make_shared<models::Record>(record)};
}

TestInput sine(double amplitude) {
  return {.name = "sine", .kind = TestKind::sine, .frequency_hz = 1, .amplitude = amplitude};
}

TestInput step() {
  return {.name = "step", .kind = TestKind::step, .duration_s = 2};
}

std::optional<double> begins(const TestInput& test) {
  return driven_from_s(plan_of(test).problem, test);
}

}  // namespace

TEST_CASE("a test that drives an input beyond its range is warned of") {
  CHECK(input_range_warning(plan_of(step())).empty());
  CHECK(input_range_warning(plan_of(sine(1))).empty());
  CHECK(input_range_warning(plan_of(recorded({{0, 1}, {0, 1}}))).empty());
  const auto of_sine = input_range_warning(plan_of(sine(100)));
  REQUIRE(of_sine.size() == 1);
  CHECK(sentence(of_sine.front()) ==
        "m1.w in test sine goes from -100 to 100, beyond its range of -1 to 1; the checks of a "
        "search stay within the range: widen it, or drive less");
  CHECK(
      input_range_warning(plan_of(recorded({{0, 1}, {0, 2}}))) ==
      std::vector<Notice>{{.code = NoticeCode::input_beyond_range,
                           .subject = "m1.w in test rig",
                           .numbers = {{"from", 0}, {"to", 2}, {"minimum", -1}, {"maximum", 1}}}});
}

TEST_CASE("a test drives from where an input first moves") {
  CHECK(begins(step()) == 1);
  CHECK(begins({.name = "i", .kind = TestKind::impulse, .duration_s = 2, .width_s = 0.5}) == 0.75);
  CHECK(begins(sine(1)) == 0);
  CHECK_FALSE(begins({.name = "none", .kind = TestKind::none, .duration_s = 2}));
  CHECK(begins(recorded({{0, 0.5, 1}, {0, 0, 1}})) == 0.5);
  CHECK(begins(recorded({{0, 0.5, 1}, {0, 0, 1}, false})) == 1);
  CHECK_FALSE(begins(recorded({{0, 1}, {1, 1}})));
}

TEST_CASE("a run that ends before its test drives anything, or soon after, says so") {
  const auto notes = [](double until_s) {
    const TrialResult result{.macro_steps = static_cast<std::int64_t>(until_s / 1e-3 + 0.5),
                             .final_time_s = until_s};
    return run_notices(plan_of(step(), until_s), 1e-3, result, std::nullopt);
  };
  CHECK(notes(0.3) == std::vector<Notice>{{.code = NoticeCode::run_not_driven,
                                           .subject = "step",
                                           .numbers = {{"driven_from_s", 1}, {"end_s", 0.3}}}});
  CHECK(notes(1.005) ==
        std::vector<Notice>{{.code = NoticeCode::run_hardly_driven,
                             .subject = "step",
                             .numbers = {{"driven_from_s", 1}, {"macro_steps", 5}}}});
  CHECK(notes(1.02).empty());  // 20 macro-steps
}

TEST_CASE("a run that diverges at once is advised of nominal values, a later one of a smaller H") {
  const auto advice = [](const Plan& plan, double end_s, bool exact = false) {
    const TrialResult result{.status = TrialStatus::diverged, .final_time_s = end_s};
    return divergence_advice(plan, 1e-3, result, exact);
  };
  const auto own = plan_of(step());
  const std::string at_once =
      "It got there within a few macro-steps: give that output a larger nominal if such values are "
      "expected; else a smaller --macro-step than 0.001 may help.";
  const std::string later = "A smaller --macro-step than 0.001 may help.";
  CHECK(advice(own, 0.003) == at_once);
  CHECK(advice(own, 1.003) == at_once);
  CHECK(advice(own, 0.9) == later);
  CHECK(advice(own, 1.5) == later);
  CHECK(advice(own, 1.5, true).find("give that output a larger nominal") != std::string::npos);
  CHECK(advice(own, 1.5, true).find("smaller --macro-step") == std::string::npos);
  // Those of a built-in problem are not the user's.
  const auto built_in =
      std::get<Plan>(make_plan(find_built_in("double_actuator_crane")->default_job));
  CHECK(advice(built_in, 0.003) == later);
  CHECK(advice(built_in, 1.5, true).ends_with("check the parameters."));
}
