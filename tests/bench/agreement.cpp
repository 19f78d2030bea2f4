// The hand-written loop is a fair yardstick only if it computes what the engine computes.

#include <doctest/doctest.h>

#include <cmath>
#include <variant>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/plan/plan.hpp"
#include "tests/allocation_count.hpp"
#include "tests/bench/pairs.hpp"

using namespace macrostep;
using namespace macrostep::bench;

namespace {

/// Both solve the same equations to the same tolerance in another order of operations: lengths
/// agree to rounding, residuals (differences of nearly equal powers) to fewer digits.
constexpr double length_tolerance = 1e-12;
constexpr double residual_tolerance = 1e-7;

template <int actuators>
void check_agreement() {
  const auto plan = default_plan(actuators);
  int compared = 0;
  for (const auto& key : plan.curves) {
    const auto& configuration = plan.configurations[key.configuration];
    const auto& test = plan.job.tests[key.test];
    const double macro_step_s = test.duration_s > 0.1 ? 1e-3 : 2e-4;
    CAPTURE(engine::describe(configuration));
    CAPTURE(test.name);
    const auto [engine_result, engine_lengths] =
        engine_trial(plan, configuration, test, macro_step_s);
    const auto bare = bare_trial<actuators>(bare_settings(plan, test, macro_step_s), configuration);
    CHECK(bare.status == engine_result.status);
    CHECK(bare.macro_steps == engine_result.macro_steps);
    if (engine_result.status != engine::TrialStatus::complete) {
      continue;
    }
    for (std::size_t i = 0; i < actuators; ++i) {
      CHECK(std::abs(bare.lengths_m[i] - engine_lengths[i]) <=
            length_tolerance * engine_lengths[i]);
    }
    CHECK(std::abs(bare.residual_j - engine_result.residual_j) <=
          residual_tolerance * engine_result.residual_j);
    ++compared;
  }
  CHECK(compared > 100);
}

}  // namespace

TEST_CASE("the hand-written double-actuator crane is the engine's") {
  check_agreement<2>();
}

TEST_CASE("the hand-written single-actuator crane is the engine's") {
  check_agreement<1>();
}

TEST_CASE("a longer trial allocates no more than a short one") {
  const auto plan = default_plan(2);
  for (const auto& configuration : plan.configurations) {
    const auto allocations = [&](double until_s) {
      const auto before = tests::allocation_count();
      engine::run_trial(plan, {.configuration = &configuration,
                               .test = &plan.job.tests.front(),
                               .macro_step_s = 1e-3,
                               .until_s = until_s});
      return tests::allocation_count() - before;
    };
    CAPTURE(engine::describe(configuration));
    CHECK(allocations(0.4) == allocations(0.01));
  }
}
