#include "engine/search/run_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"

using namespace macrostep::engine;

namespace {

/// With so many tests of this length.
Plan crane(std::size_t tests, double duration_s = 0.1) {
  Job job = find_built_in("single_actuator_crane")->default_job;
  const auto sine = *std::ranges::find(job.tests, TestKind::sine, &TestInput::kind);
  job.tests.assign(tests, sine);
  for (std::size_t i = 0; i < tests; ++i) {
    job.tests[i].name = "sine_" + std::to_string(i);
    job.tests[i].periods.reset();
    job.tests[i].duration_s = duration_s;
  }
  return std::get<Plan>(make_plan(job));
}

std::vector<WantedTrial> all_at(const Plan& plan, double macro_step_s) {
  std::vector<WantedTrial> wanted;
  for (std::size_t c = 0; c < plan.curves.size(); ++c) {
    wanted.push_back({.curve = c, .macro_step_s = macro_step_s});
  }
  return wanted;
}

}  // namespace

TEST_CASE("a round runs the macro-step that most curves ask for") {
  const auto plan = crane(1);
  auto wanted = all_at(plan, 1e-3);
  REQUIRE(wanted.size() > 4);
  wanted[0].macro_step_s = wanted[3].macro_step_s = 2e-3;
  const auto round = choose_round(plan, wanted);
  CHECK(round.size() == wanted.size() - 2);
  CHECK(std::ranges::is_sorted(round));
  CHECK(std::ranges::none_of(round, [](std::size_t i) { return i == 0 || i == 3; }));
}

TEST_CASE("a round ends soon, however many curves there are and however long their trials") {
  const auto many = crane(1000, 0.01);
  CHECK(choose_round(many, all_at(many, 1e-3)).size() == 512);
  const auto lengthy = crane(100, 1e3);
  CHECK(choose_round(lengthy, all_at(lengthy, 1e-4)).size() == 16);
}
