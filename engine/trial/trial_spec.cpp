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

const TestInput& driver_of(const Plan& plan, const TrialSpec& spec) {
  const auto* driver = plan.perturbed(spec.input, spec.variant);
  if (!driver) {
    throw std::out_of_range(std::string("the plan has no such ") +
                            (spec.variant == 0 ? "input" : "variant of the input"));
  }
  return *driver;
}

double duration_of(const Plan& plan, const TrialSpec& spec) {
  return spec.until_s ? *spec.until_s : driver_of(plan, spec).duration_s;
}

TrialSettings settings_of(const Plan& plan, const TrialSpec& spec) {
  TrialSettings settings{.configuration = &plan.configurations.at(spec.configuration),
                         .test = &driver_of(plan, spec),
                         .macro_step_s = spec.macro_step_s,
                         .until_s = spec.until_s};
  if (spec.variant == plan.disturbed_variant()) {
    settings.disturbed_until_s = disturbed_share * duration_of(plan, spec);
  }
  return settings;
}

}  // namespace macrostep::engine
