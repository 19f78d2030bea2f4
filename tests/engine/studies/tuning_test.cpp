#include "engine/studies/tuning.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <variant>

#include "engine/reference/reference.hpp"
#include "engine/reference/reference_errors.hpp"
#include "engine/trial/trial.hpp"
#include "tests/engine/benchmarks/built_in.hpp"
#include "tests/made_backends.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;
namespace tests = macrostep::tests;

namespace {

Plan short_tests(const std::string& problem) {
  auto plan = tests::built_in(problem);
  plan.job.tests = {tests::free_motion(2), tests::test_of(plan, "step")};
  return plan;
}

TuningResult tuned(const Plan& plan, const Configuration& configuration, TuningObjective objective,
                   int threads = 0) {
  return tune(tests::with_only(plan, configuration),
              {.macro_step_s = 1e-3, .objective = objective, .threads = threads});
}

/// The RMS deviation of the energy in one test with this setting, as a run tells it.
double energy_deviation(const Plan& plan, Configuration configuration, const TestInput& test,
                        const TuningPoint& setting) {
  configuration.correction = Correction::energy;
  configuration.correction_parameters.mu = setting.mu;
  configuration.correction_parameters.nu = setting.nu;
  configuration.correction_parameters.limit = setting.limit;
  const auto made = Reference::make(plan, configuration, test);
  const auto& reference = std::get<std::unique_ptr<Reference>>(made);
  EnergyError error;
  const auto compare = [&](const TracePoint& point) {
    REQUIRE(reference->advance_to(point.time_s));
    error.add(*point.energy_j, *reference->energy_j());
  };
  const auto result = run_trial(
      plan,
      {.configuration = &configuration, .test = &test, .macro_step_s = 1e-3, .trace = compare});
  REQUIRE(result.status == TrialStatus::complete);
  return error.rms().value();
}

}  // namespace

TEST_CASE(
    "a tuned energy correction is better than the formula on the mean, and worse in no test") {
  const auto plan = short_tests("nonlinear_oscillator");
  const auto chosen = tests::first_with(plan, "force_displacement");
  const auto result = tuned(plan, chosen, TuningObjective::energy_deviation);
  REQUIRE(result.by_formula);
  CHECK(result.by_formula->mu == 0.5);
  REQUIRE(result.best);
  CHECK(*result.best->ratio < 0.9);
  for (std::size_t t = 0; t < result.tests.size(); ++t) {
    CHECK(*result.by_formula->by_test[t] < *result.uncorrected.by_test[t]);
    CHECK(*result.best->by_test[t] <= 1.01 * *result.by_formula->by_test[t]);
  }
}

TEST_CASE(
    "without a reference tuning finds what it finds with one, where subsystems are accurate") {
  // Exact subsystems: all energy that is gained came through the interface.
  const auto plan = short_tests("linear_oscillator");
  auto chosen = tests::first_with(plan, "force_displacement");
  tests::set_integrator(chosen, Integrator::exact, {"m1", "m2"});
  const auto by_reference = tuned(plan, chosen, TuningObjective::energy_deviation);
  const auto by_interface = tuned(plan, chosen, TuningObjective::interface_energy);
  CHECK(!by_reference.by_formula);  // the formula is for symplectic Euler
  REQUIRE(by_reference.best);
  REQUIRE(by_interface.best);
  // What it finds takes away nearly as much of the energy deviation.
  for (std::size_t t = 0; t < by_reference.tests.size(); ++t) {
    CAPTURE(by_reference.tests[t]);
    CHECK(energy_deviation(plan, chosen, plan.job.tests[t], *by_interface.best) <
          0.2 * *by_reference.uncorrected.by_test[t]);
  }
}

TEST_CASE("tests of a further plan count in the choice, and hold it to what was left out") {
  // Two plans with different starts: their tests count alike, each under a name of its own.
  const auto plan = short_tests("nonlinear_oscillator");
  auto other = tests::built_in("nonlinear_oscillator", {{"m1.v0", 0}, {"m1.x0", 6}, {"m2.v0", 0}});
  other.job.tests = {tests::free_motion(2)};
  const auto chosen = tests::first_with(plan, "force_displacement");
  const auto other_of_it = tests::with_only(other, chosen);
  const auto result =
      tune(tests::with_only(plan, chosen), {.further_plans = {&other_of_it},
                                            .macro_step_s = 1e-3,
                                            .objective = TuningObjective::energy_deviation});
  CHECK(result.tests == std::vector<std::string>{"none", "step", "2.none"});
  // Both sum in the same order, over one trial and one reference.
  CHECK(energy_deviation(other, chosen, other.job.tests.front(), *result.by_formula) ==
        *result.by_formula->by_test.back());
  for (std::size_t i = 0; i < result.landscape.size(); ++i) {
    const auto& point = result.landscape[i];
    bool worse = false;
    for (std::size_t t = 0; t < 3; ++t) {
      worse |= !point.by_test[t] || *point.by_test[t] > 1.01 * *result.by_formula->by_test[t];
    }
    CHECK(worse == !point.ratio);
  }
  // Either the choice holds where it had no part, or there is none, with the reason.
  CHECK(result.best.has_value() == (result.left_out_ratio && *result.left_out_ratio < 1));
  CHECK(result.best.has_value() == result.reasons.empty());
}

TEST_CASE("tuning does not depend on the number of threads") {
  auto plan = short_tests("linear_oscillator");
  plan.job.tests.front().duration_s = 0.5;
  const auto chosen = tests::first_with(plan, "force_displacement");
  const auto one = tuned(plan, chosen, TuningObjective::energy_deviation, 1);
  const auto three = tuned(plan, chosen, TuningObjective::energy_deviation, 3);
  REQUIRE(one.landscape.size() == three.landscape.size());
  for (std::size_t i = 0; i < one.landscape.size(); ++i) {
    CHECK(one.landscape[i].by_test == three.landscape[i].by_test);
  }
}

TEST_CASE("a coupling that exchanges no effort cannot be tuned, and says why") {
  const auto plan = tests::built_in("linear_oscillator");
  const auto chosen = tests::first_with(plan, "displacement_displacement");
  const auto result = tune(tests::with_only(plan, chosen), {.macro_step_s = 1e-3});
  CHECK(!result.best);
  CHECK(result.landscape.empty());
  CHECK(result.reason().find("exchanges none") != std::string::npos);
}

TEST_CASE("a tuning without a run that completes has no answer but how the runs end") {
  const auto plan = short_tests("linear_oscillator");
  const auto chosen = tests::first_with(plan, "force_displacement");
  const auto with_crashes = [&](const std::string& test) {
    const tests::TrialsBy backend([test](const Plan& of, const TrialSettings& trial) {
      if (test.empty() || trial.test->name == test) {
        return TrialResult{.status = TrialStatus::crashed, .reason = "abort (SIGABRT)"};
      }
      return run_trial(of, trial);
    });
    return tune(tests::with_only(plan, chosen), {.further_plans = {},
                                                 .macro_step_s = 1e-3,
                                                 .objective = TuningObjective::interface_energy,
                                                 .backend = &backend});
  };
  const auto none = with_crashes("");
  CHECK(no_run_completes(none));
  CHECK(none.landscape.empty());
  CHECK(none.reason() ==
        "no run completes: in the test none with no correction the trial crashed in an FMU: abort "
        "(SIGABRT)");
  const auto some = with_crashes("step");
  CHECK(!no_run_completes(some));
  CHECK(some.incomplete.count * 2 == some.incomplete.of);
  CHECK(some.incomplete.first.starts_with("in the test step with no correction the trial crashed"));
}
