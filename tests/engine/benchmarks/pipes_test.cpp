// The pipes and volumes.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/engine/benchmarks/built_in.hpp"

using namespace macrostep::engine;
namespace tests = macrostep::tests;

TEST_CASE("held inputs lose the pipes at 5.06 microseconds") {
  // The limit of exact subsystems (π/(ω_0 φ_1) = 425 µs, H ω_0 φ_1/π = 0.0119). The energy left
  // after an impulse decays or grows at about 2 σ (H/5.06 µs − 1) with the decay 2 σ = 114 1/s of
  // the volumes: by 3 % of H from the limit, 30 % in 0.1 s.
  const auto plan = tests::built_in("pipe_volume");
  const TestInput impulse{
      .name = "impulse", .kind = TestKind::impulse, .duration_s = 0.01, .width_s = 5e-4};
  const auto energy_j = [&](double macro_step_s, double until_s) {
    const auto result = run_trial(plan, {.configuration = &plan.configurations.front(),
                                         .test = &impulse,
                                         .macro_step_s = macro_step_s,
                                         .until_s = until_s,
                                         .stop = nullptr,
                                         .trace = {},
                                         .step_times = nullptr});
    REQUIRE(result.status == TrialStatus::complete);
    return *result.final_energy_j;
  };
  CHECK(energy_j(4.9e-6, 0.2) < 0.8 * energy_j(4.9e-6, 0.1));
  CHECK(energy_j(5.2e-6, 0.2) > 1.2 * energy_j(5.2e-6, 0.1));
}

TEST_CASE("the residual energy of the pipes falls with H^(m + 1)") {
  // Up to 2 µs, H times the larger frequency 7.4e3 rad/s is 0.015.
  const auto plan = tests::built_in("pipe_volume");
  for (const auto extrapolation :
       {Extrapolation::order_0, Extrapolation::order_1, Extrapolation::order_2}) {
    auto chosen = plan.configurations.front();
    chosen.extrapolation = extrapolation;
    const auto& ramp = tests::test_of(plan, "ramp");
    const double slope = tests::residual_slope(plan, chosen, ramp, 1e-6, 2e-6);
    CHECK(std::abs(slope - (order(extrapolation) + 1)) < 0.1);
  }
}
