// Which outputs end a run by their size.
#include <doctest/doctest.h>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/trial/trial.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep::engine;

namespace {

TrialResult first_trial(const Job& job, double macro_step_s) {
  const auto plan = macrostep::tests::planned(job);
  return run_trial(plan, {.configuration = &plan.configurations.front(),
                          .test = &plan.job.tests.front(),
                          .macro_step_s = macro_step_s});
}

/// The first mass also tells so many times its displacement, which nobody reads.
Job with_monitor(double gain) {
  auto job = macrostep::tests::two_masses();
  auto& first = job.own_problem->subsystems[0].state_space;
  first.c.conservativeResize(2, Eigen::NoChange);
  first.c.row(1) << gain, 0;
  first.d.conservativeResize(2, Eigen::NoChange);
  first.d.row(1).setZero();
  first.outputs.push_back({"monitor", "m"});
  return job;
}

}  // namespace

TEST_CASE("an output that nobody reads ends no run, unless it is not finite") {
  const auto without = first_trial(macrostep::tests::two_masses(), 1e-3);
  REQUIRE(without.status == TrialStatus::complete);
  for (const double gain : {1e-9, 1.0, 1e20}) {
    CAPTURE(gain);
    const auto result = first_trial(with_monitor(gain), 1e-3);
    CHECK(result.status == TrialStatus::complete);
    CHECK(result.residual_j == without.residual_j);
  }
  const auto infinite = first_trial(with_monitor(1e308), 1e-3);
  CHECK(infinite.status == TrialStatus::complete);  // 1e308 times less than a metre
  auto far = with_monitor(1e308);
  far.own_problem->subsystems[0].state_space.x0[0] = 10;
  CHECK(first_trial(far, 1e-3).reason ==
        "an output at the start is not finite: m1.monitor is infinite");
}

TEST_CASE("an oscillator that starts at rest follows a force over its range") {
  // Its energy grows by the square of what a nominal velocity of 1 m/s tells.
  auto job = find_built_in("linear_oscillator")->default_job;
  job.parameters = {{"m1.v0", 0}, {"m2.v0", 0}, {"m1.c", 1}, {"m2.c", 1}};
  std::erase_if(job.tests, [](const TestInput& test) { return test.kind != TestKind::step; });
  job.space.integrators = {{"m1", {macrostep::models::Integrator::exact}},
                           {"m2", {macrostep::models::Integrator::exact}},
                           {"coupling", {macrostep::models::Integrator::exact}}};
  CHECK(first_trial(job, 1e-3).status == TrialStatus::complete);
}
