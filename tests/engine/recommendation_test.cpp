#include "engine/recommendation.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/catalogue.hpp"

using namespace macrostep::engine;

namespace {

/// Two extrapolations, one choice of integrators, two tests: curves 0 1 (order 0), 2 3 (order 1).
Plan small_plan() {
  Job job = find_built_in("double_actuator_crane")->default_job;
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_1};
  job.space.integrators = {{"mechanics", {macrostep::models::Integrator::i1al}},
                           {"hydraulics", {macrostep::models::Integrator::forward_euler}}};
  job.tests.resize(2);
  return std::get<Plan>(make_plan(job));
}

Curve curve(std::size_t id, double bend_s, double cost, bool counts = true) {
  Curve curve{.id = id, .key = {id / 2, id % 2}};
  curve.points = {{.macro_step_s = bend_s / 2, .relative_residual = 1e-3, .cost = 2 * cost},
                  {.macro_step_s = bend_s, .relative_residual = 2e-3, .cost = cost}};
  curve.region = {.accepted = 2, .last_s = bend_s, .bend_found = true, .cliff_s = 2 * bend_s};
  curve.usable_s = bend_s;
  curve.counts = counts;
  if (!counts) {
    curve.flags = {"too_few_macro_steps"};
  }
  return curve;
}

}  // namespace

TEST_CASE("max-min takes the best worst test, the paper's rule the smallest row") {
  // Order 0 bends at 5 and 1 ms, order 1 at 3 and 2 ms. The table's rows are 5 (order 0) and 2
  // (order 1): both rules end at 2 ms, with order 1.
  const auto plan = small_plan();
  const auto analysis =
      recommend(plan, {curve(0, 5e-3, 1), curve(1, 1e-3, 1), curve(2, 3e-3, 1), curve(3, 2e-3, 1)});
  CHECK(analysis.table[0].macro_step_s == 5e-3);
  CHECK(analysis.table[1].macro_step_s == 2e-3);
  REQUIRE(analysis.recommendation);
  CHECK(analysis.recommendation->configuration == 1);
  CHECK(analysis.recommendation->macro_step_s == 2e-3);
  CHECK(analysis.recommendation->cliff_s == 4e-3);
  CHECK(analysis.recommendation->relative_residual == 2e-3);
  CHECK(analysis.paper_rule->configuration == 1);
}

TEST_CASE("the two rules differ where the smallest row's winner fails elsewhere") {
  // Rows: 4 ms (order 0) and 3 ms (order 1). The paper takes order 1 at 3 ms, although it bends at
  // 1 ms in the first test; max-min takes order 0 at 2 ms.
  const auto plan = small_plan();
  const auto analysis =
      recommend(plan, {curve(0, 4e-3, 1), curve(1, 2e-3, 1), curve(2, 1e-3, 1), curve(3, 3e-3, 1)});
  CHECK(analysis.recommendation->configuration == 0);
  CHECK(analysis.recommendation->macro_step_s == 2e-3);
  CHECK(analysis.paper_rule->configuration == 1);
  CHECK(analysis.paper_rule->macro_step_s == 3e-3);
}

TEST_CASE("equal H are ties: lower cost first, then lower order, all reported") {
  const auto plan = small_plan();
  const auto dear =
      recommend(plan, {curve(0, 2e-3, 9), curve(1, 2e-3, 9), curve(2, 2e-3, 1), curve(3, 2e-3, 1)});
  CHECK(dear.recommendation->configuration == 1);
  CHECK(dear.recommendation->ties == std::vector<std::size_t>{0});
  CHECK(dear.table[0].configurations == std::vector<std::size_t>{1, 0});
  const auto equal =
      recommend(plan, {curve(0, 2e-3, 1), curve(1, 2e-3, 1), curve(2, 2e-3, 1), curve(3, 2e-3, 1)});
  CHECK(equal.recommendation->configuration == 0);
}

TEST_CASE("a curve with too few macro-steps is shown, flagged, and does not count") {
  const auto plan = small_plan();
  const auto analysis = recommend(plan, {curve(0, 3e-3, 1), curve(1, 1e-3, 1, false),
                                         curve(2, 2e-3, 1), curve(3, 9e-3, 1, false)});
  CHECK(analysis.recommendation->configuration == 0);
  CHECK(analysis.recommendation->macro_step_s == 3e-3);
  CHECK(analysis.table[1].macro_step_s == 9e-3);
  CHECK(analysis.table[1].flags == std::vector<std::string>{"too_few_macro_steps"});
  CHECK(analysis.paper_rule->macro_step_s == 3e-3);
}

TEST_CASE("a configuration without a linear region in one test is never recommended") {
  const auto plan = small_plan();
  Curve unstable{.id = 1, .key = {0, 1}, .flags = {"no_linear_region"}};
  const auto analysis =
      recommend(plan, {curve(0, 9e-3, 1), unstable, curve(2, 1e-3, 1), curve(3, 1e-3, 1)});
  CHECK(analysis.recommendation->configuration == 1);
}

TEST_CASE("connections that no power bond watches are a warning") {
  auto plan = small_plan();
  plan.problem.couplings[0].power_bonds.pop_back();
  const auto analysis =
      recommend(plan, {curve(0, 2e-3, 1), curve(1, 2e-3, 1), curve(2, 1e-3, 1), curve(3, 1e-3, 1)});
  const auto& warnings = analysis.recommendation->warnings;
  CHECK(std::ranges::any_of(warnings, [](const std::string& warning) {
    return warning.find("hydraulics_2.f → mechanics.f_2") != std::string::npos;
  }));
}
