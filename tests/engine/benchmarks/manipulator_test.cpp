// The hydraulic manipulator against its published limits: force–displacement 15 ms (m1) and 19 ms
// (m2), pressure–displacement 40 and 53 ms, all inputs held.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "engine/search/run_search.hpp"
#include "tests/engine/benchmarks/built_in.hpp"
#include "tests/engine/recommendation/paper_rule.hpp"

using namespace macrostep::engine;
namespace tests = macrostep::tests;

namespace {

/// Bend and cliff of the default scan over both manoeuvres, inputs held, in ms.
struct Limits {
  double bend_ms = 0;
  double cliff_ms = 0;
};

Limits limits(const std::string& coupling, const std::string& manoeuvre) {
  Job job = find_built_in("hydraulic_manipulator")->default_job;
  job.space.couplings = {coupling};
  job.space.extrapolation = {Extrapolation::order_0};
  std::erase_if(job.tests, [&](const TestInput& test) { return test.name != manoeuvre; });
  const auto plan = std::get<Plan>(make_plan(tests::by_residual(job)));
  const auto result = run_search(plan, {});
  REQUIRE(result.answer.curves.size() == 1);
  const auto& region = result.answer.curves.front().region;
  REQUIRE(region.bend_s());
  REQUIRE(region.cliff_s);
  return {1e3 * *region.bend_s(), 1e3 * *region.cliff_s};
}

}  // namespace

TEST_CASE("the manipulator's spool rests where the benchmark's does") {
  const auto plan = tests::built_in("hydraulic_manipulator");
  const auto& kappa = plan.problem.external_inputs.front();
  CHECK(kappa.initial == doctest::Approx(0.45434559).epsilon(1e-8));
  CHECK(kappa.minimum < kappa.initial);
  CHECK(kappa.maximum > kappa.initial);
  CHECK(kappa.maximum <= 1);
  // A light arm: the valve rests nearer to its middle, and the range follows.
  const auto light = tests::built_in("hydraulic_manipulator", {{"mechanics.m_p", 0}});
  CHECK(light.problem.external_inputs.front().initial > kappa.initial);
}

TEST_CASE("the residual energy of m1 is 0.75 to 0.81 J per ms of the macro-step up to 5 ms") {
  const auto plan = tests::built_in("hydraulic_manipulator");
  const auto chosen = tests::first_with(plan, "force_displacement");
  for (const double macro_step_s : {1e-3, 2e-3, 3e-3, 5e-3}) {
    CAPTURE(macro_step_s);
    const auto motion = tests::run(plan, chosen, tests::test_of(plan, "m1"), macro_step_s);
    REQUIRE(motion.result.status == TrialStatus::complete);
    const double per_ms = motion.result.residual_j / (1e3 * macro_step_s);
    CHECK(per_ms > 0.75);
    CHECK(per_ms < 0.81);
  }
}

TEST_CASE("force–displacement bends at 8 to 13 ms on m1 and falls before 16, on m2 before 20") {
  const auto m1 = limits("force_displacement", "m1");
  CHECK(m1.bend_ms >= 8);
  CHECK(m1.bend_ms <= 13);
  CHECK(m1.cliff_ms >= 13);
  CHECK(m1.cliff_ms <= 16);
  const auto m2 = limits("force_displacement", "m2");
  CHECK(m2.cliff_ms >= 18);
  CHECK(m2.cliff_ms <= 20);
}

TEST_CASE("pressure–displacement falls at 35 to 45 ms on m1 and at 50 to 60 ms on m2") {
  const auto m1 = limits("pressure_displacement", "m1");
  CHECK(m1.cliff_ms >= 35);
  CHECK(m1.cliff_ms <= 45);
  const auto m2 = limits("pressure_displacement", "m2");
  CHECK(m2.cliff_ms >= 50);
  CHECK(m2.cliff_ms <= 60);
}

TEST_CASE("extrapolated motion shows a false oscillation of m2 at 11.5 ms: energy is added") {
  // Order 1 for s and s_dot, hydraulics at 0.1 ms. Between 3 and 5 s δP peaks a thousand times
  // above what it is before 1 s, on the adding side.
  auto plan = tests::built_in("hydraulic_manipulator");
  plan.job.micro_steps = {{"hydraulics", 1e-4}};
  auto chosen = tests::first_with(plan, "force_displacement");
  chosen.extrapolation = Extrapolation::order_1;
  constexpr double macro_step_s = 11.5e-3;
  const auto motion = tests::run(plan, chosen, tests::test_of(plan, "m2"), macro_step_s);
  const auto between = [&](double from_s, double to_s) {
    const auto index = [&](double t) { return static_cast<std::ptrdiff_t>(t / macro_step_s); };
    const auto begin = motion.residual_powers_w.begin();
    return std::minmax_element(begin + index(from_s), begin + index(to_s));
  };
  const auto [early_lowest, early_highest] = between(0, 1);
  const auto [lowest, highest] = between(3, 5);
  CHECK(*highest > 1000 * *early_highest);
  CHECK(*lowest > -0.01 * *highest);
}
