// Whatever a configuration is, a trial allocates while it is set up and while it ends, and not in
// between: the number of its allocations does not depend on that of its macro-steps.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/trial/trial.hpp"
#include "tests/allocation_count.hpp"
#include "tests/engine/plan/planned.hpp"

using namespace macrostep;
using namespace macrostep::engine;

namespace {

constexpr std::array allocation_extrapolations{Extrapolation::order_0, Extrapolation::order_2,
                                               Extrapolation::i2, Extrapolation::smooth,
                                               Extrapolation::adaptive};

// The start-up of every extrapolation is over after 20 macro-steps, and the external inputs step
// after 30, within both trials.
constexpr int short_trial = 35;
constexpr int long_trial = 60;

struct NamedCorrection {
  std::string name;
  Correction correction = Correction::none;
  CorrectionParameters parameters;
};

std::vector<NamedCorrection> corrections_to_count() {
  CorrectionParameters exact;
  exact.mu = 0.5;  // the formula does not hold everywhere
  auto corrected = exact;
  corrected.feedthrough = Feedthrough::corrected;
  auto identified = corrected;
  identified.jacobians = JacobianSource::identified;
  auto printed = exact;
  printed.derivative = ModelDerivative::printed;
  return {{"none", Correction::none, exact},
          {"energy", Correction::energy, exact},
          {"nepce", Correction::nepce, exact},
          {"nepce, feedthrough corrected", Correction::nepce, corrected},
          {"model_based", Correction::model_based, exact},
          {"model_based, identified", Correction::model_based, identified},
          {"linearly_implicit", Correction::linearly_implicit, exact},
          {"linearly_implicit, printed", Correction::linearly_implicit, printed}};
}

/// As many sets of integrators as the subsystem that offers most has: set i holds the i-th of each
/// subsystem, beginning again where one has fewer.
std::vector<std::map<std::string, models::Integrator>> integrators_of(const Coupling& coupling) {
  std::size_t most = 0;
  for (const auto& subsystem : coupling.subsystems) {
    most = std::max(most, subsystem.integrators.size());
  }
  std::vector<std::map<std::string, models::Integrator>> sets(most);
  for (std::size_t i = 0; i < most; ++i) {
    for (const auto& subsystem : coupling.subsystems) {
      sets[i][subsystem.group] = subsystem.integrators[i % subsystem.integrators.size()];
    }
  }
  return sets;
}

/// Counts allocations of trials of one configuration, which can run. A trial that ends early says
/// why, in a string.
void allocates_alike(const Plan& plan, const Configuration& configuration) {
  const double macro_step_s = plan.job.macro_step.initial_s;
  const TestInput step{
      .name = "step", .kind = TestKind::step, .duration_s = long_trial * macro_step_s};
  const auto allocations = [&](int macro_steps) {
    const auto before = tests::allocation_count();
    const auto result = run_trial(plan, {.configuration = &configuration,
                                         .test = &step,
                                         .macro_step_s = macro_step_s,
                                         .until_s = macro_steps * macro_step_s});
    const auto after = tests::allocation_count();
    CHECK(result.status == TrialStatus::complete);
    CHECK(result.macro_steps == macro_steps);
    return after - before;
  };
  const auto few = allocations(short_trial);
  const auto many = allocations(long_trial);
  CHECK(many == few);
}

}  // namespace

TEST_CASE("no problem, scheme, correction, extrapolation or integrator allocates in a macro-step") {
  for (const auto& problem : catalogue()) {
    auto plan = tests::planned(problem.default_job);
    plan.job.iteration.repeats = 2;  // a few: the iteration of some need not converge
    std::map<std::string, int> by_correction;
    for (const auto& coupling : plan.problem.couplings) {
      for (const auto& integrators : integrators_of(coupling)) {
        for (const auto scheme : all_schemes) {
          for (const auto& correction : corrections_to_count()) {
            for (const auto extrapolation : allocation_extrapolations) {
              const Configuration configuration{.coupling = coupling.name,
                                                .scheme = scheme,
                                                .order = {},
                                                .extrapolation = extrapolation,
                                                .integrators = integrators,
                                                .substeps = {},
                                                .correction = correction.correction,
                                                .correction_parameters = correction.parameters};
              if (!std::holds_alternative<Schedule>(schedule_of(plan, configuration))) {
                continue;
              }
              CAPTURE(problem.name);
              CAPTURE(correction.name);
              CAPTURE(describe(configuration));
              allocates_alike(plan, configuration);
              ++by_correction[correction.name];
            }
          }
        }
      }
    }
    // Those that every problem admits in some configuration, so that none is left out unseen.
    CAPTURE(problem.name);
    for (const char* admitted : {"none", "energy", "nepce", "model_based, identified"}) {
      CAPTURE(admitted);
      CHECK(by_correction[admitted] > 0);
    }
    const bool knows_jacobians = !problem.name.ends_with("actuator_crane");
    CHECK((by_correction["model_based"] > 0) == knows_jacobians);
    CHECK((by_correction["linearly_implicit"] > 0) == knows_jacobians);
  }
}
