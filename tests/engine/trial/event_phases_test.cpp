#include "engine/trial/event_phases.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/ensemble/trial_backend.hpp"
#include "engine/verification/tasks.hpp"
#include "tests/plan_of.hpp"

using namespace macrostep::engine;
using macrostep::tests::plan_of;

namespace {

double phase_of(double time_s, double step_s) {
  const double macro_steps = time_s / step_s;
  return macro_steps - std::floor(macro_steps);
}

/// Two masses; the step acts on the first.
Plan two_masses(int phases) {
  Job job = find_built_in("linear_oscillator")->default_job;
  job.event_phases = phases;
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 1}};
  return plan_of(job);
}

}  // namespace

TEST_CASE("events come at the middles of equal parts of a macro-step, late by less than one") {
  for (const auto kind : {TestKind::step, TestKind::ramp, TestKind::impulse}) {
    const TestInput test{.kind = kind, .duration_s = 1, .width_s = 0.1};
    for (const double macro_step_s : {1e-3, 1.0 / 3, 0.0007, 0.3}) {
      const auto delays = event_delays_s(test, macro_step_s, 4);
      REQUIRE(delays.size() == 4);
      for (std::size_t k = 0; k < 4; ++k) {
        CAPTURE(k);
        CHECK(delays[k] >= 0);
        CHECK(delays[k] < macro_step_s);
        auto late = test;
        late.delay_s = delays[k];
        CHECK(phase_of(first_event_s(late).value(), macro_step_s) ==
              doctest::Approx((2.0 * static_cast<double>(k) + 1) / 8).epsilon(1e-9));
      }
    }
  }
  CHECK(event_delays_s({.kind = TestKind::step, .duration_s = 1}, 1e-3, 1) ==
        std::vector<double>{0});
  CHECK(event_delays_s({.kind = TestKind::sine, .duration_s = 1, .frequency_hz = 1}, 1e-3, 4) ==
        std::vector<double>{0});
}

TEST_CASE("a delay moves what happens, and nothing else") {
  const ExternalInput lever{.to = {"m1", "f"}, .initial = 1, .minimum = -10, .maximum = 5};
  const auto at = [&](const TestInput& test, double time_s) {
    return signal(test, lever).value(time_s);
  };
  for (auto test : {TestInput{.kind = TestKind::step, .duration_s = 2, .rise_s = 0.5},
                    TestInput{.kind = TestKind::ramp, .duration_s = 2},
                    TestInput{.kind = TestKind::impulse, .duration_s = 2, .width_s = 0.3}}) {
    auto late = test;
    late.delay_s = 0.125;
    for (const double time_s : {0.5, 0.9, 1.1, 1.2, 1.5, 1.7}) {
      CHECK(at(late, time_s + 0.125) == doctest::Approx(at(test, time_s)).epsilon(1e-12));
    }
  }
}

TEST_CASE("the worst run of a trial is told, with its delay and the work of all of them") {
  const std::vector<TrialSpec> runs{{.delay_s = 0.1}, {.delay_s = 0.2}, {.delay_s = 0.3}};
  std::vector<TrialResult> results(3);
  for (std::size_t i = 0; i < 3; ++i) {
    results[i].rhs_evaluations = 10;
    results[i].shared_evaluations = 4;
    results[i].cost = 20;
    results[i].wall_s = 1;
  }
  results[0].residual_j = 1;
  results[1].residual_j = 3;
  results[2].residual_j = 2;
  auto worst = worst_of_phases(runs, results);
  CHECK(worst.residual_j == 3);
  CHECK(worst.event_delay_s == 0.2);
  CHECK(worst.rhs_evaluations == 30);
  CHECK(worst.shared_evaluations == 12);
  CHECK(worst.cost == 60);
  CHECK(worst.wall_s == 3);
  results[2].status = TrialStatus::diverged;
  worst = worst_of_phases(runs, results);
  CHECK(worst.status == TrialStatus::diverged);
  CHECK(worst.event_delay_s == 0.3);
}

TEST_CASE("only tests of the job come at several phases, and only where something happens") {
  const Plan plan = two_masses(4);
  CHECK(runs_of_trial(plan, 0) == 4);
  CHECK(at_every_phase(plan, {.input = 0, .macro_step_s = 1e-3}).size() == 4);
  REQUIRE(plan.inputs().size() > plan.job.tests.size());
  CHECK(at_every_phase(plan, {.input = plan.job.tests.size(), .macro_step_s = 1e-3}).size() == 1);
  CHECK(at_every_phase(two_masses(1), {.input = 0, .macro_step_s = 1e-3}) ==
        std::vector<TrialSpec>{{.input = 0, .macro_step_s = 1e-3}});
}

TEST_CASE("the residual and the error do not depend on where the jump falls") {
  // H = 2 ms has a communication point at the jump, and 2.0005 ms has not.
  const auto of = [](int phases, double macro_step_s) {
    const Plan plan = two_masses(phases);
    const TrialSpec spec{.input = 0, .macro_step_s = macro_step_s};
    const double residual_j =
        this_process().at_every_phase(plan, {&spec, 1}, nullptr).front().residual_j;
    const auto error =
        error_in_tests(plan, 0, macro_step_s, performed_by(plan, {this_process(), 1}));
    return std::pair(residual_j, error.nrmse.value());
  };
  const auto [residual_j, error] = of(4, 2e-3);
  const auto [other_residual_j, other_error] = of(4, 2.0005e-3);
  CHECK(residual_j == doctest::Approx(other_residual_j).epsilon(0.05));
  CHECK(error == doctest::Approx(other_error).epsilon(0.05));
  // Four phases tell what sixteen do.
  const auto [residual_of_16_j, error_of_16] = of(16, 2e-3);
  CHECK(residual_j == doctest::Approx(residual_of_16_j).epsilon(0.05));
  CHECK(error == doctest::Approx(error_of_16).epsilon(0.05));
}
