#include "engine/trial/trial_spec.hpp"

#include <stdexcept>
#include <string>

namespace macrostep::engine {

std::string_view what_lacks(const Plan& plan, const TrialSpec& spec) {
  if (spec.configuration >= plan.configurations.size()) {
    return "configuration";
  }
  if (!plan.input(spec.input)) {
    return "input";
  }
  return plan.perturbed(spec.input, spec.variant) ? "" : "variant of the input";
}

namespace {

/// Without the delay.
const TestInput& undelayed(const Plan& plan, const TrialSpec& spec) {
  const auto* driver = plan.perturbed(spec.input, spec.variant);
  if (!driver) {
    throw std::out_of_range(std::string("the plan has no such ") +
                            (spec.variant == 0 ? "input" : "variant of the input"));
  }
  return *driver;
}

}  // namespace

const TestInput& Drivers::of(const Plan& plan, const TrialSpec& spec) {
  if (spec.delay_s == 0) {
    return undelayed(plan, spec);
  }
  return delayed_.emplace_back(driver_of(plan, spec));
}

TestInput driver_of(const Plan& plan, const TrialSpec& spec) {
  auto driver = undelayed(plan, spec);
  driver.delay_s += spec.delay_s;
  return driver;
}

double duration_of(const Plan& plan, const TrialSpec& spec) {
  return spec.until_s ? *spec.until_s : undelayed(plan, spec).duration_s;
}

TrialSettings settings_of(const Plan& plan, const TrialSpec& spec, Drivers& drivers) {
  TrialSettings settings{.configuration = &plan.configurations.at(spec.configuration),
                         .test = &drivers.of(plan, spec),
                         .macro_step_s = spec.macro_step_s,
                         .until_s = spec.until_s};
  settings.nudged = spec.variant == plan.nudged_variant();
  if (settings.nudged || spec.variant == plan.disturbed_variant()) {
    settings.disturbed_until_s = disturbed_share * duration_of(plan, spec);
  }
  return settings;
}

}  // namespace macrostep::engine
