#include "engine/trial/trial_spec.hpp"

#include <stdexcept>

namespace macrostep::engine {

std::string_view what_lacks(const Plan& plan, const TrialSpec& spec) {
  if (spec.configuration >= plan.configurations.size()) {
    return "configuration";
  }
  if (spec.input >= plan.inputs().size()) {
    return "input";
  }
  const auto variants = plan.variants();
  const bool is_there = spec.variant == 0 || (spec.variant < variants.size() &&
                                              variants[spec.variant].input == spec.input);
  return is_there ? "" : "variant of the input";
}

const TestInput& driver_of(const Plan& plan, const TrialSpec& spec) {
  if (spec.variant == 0) {
    return *plan.inputs().at(spec.input);
  }
  const auto variant = plan.variants().at(spec.variant);
  if (variant.input != spec.input) {
    throw std::out_of_range("a variant of another input");
  }
  return *variant.perturbed;
}

double duration_of(const Plan& plan, const TrialSpec& spec) {
  return spec.until_s ? *spec.until_s : driver_of(plan, spec).duration_s;
}

TrialSettings settings_of(const Plan& plan, const TrialSpec& spec) {
  return {.configuration = &plan.configurations.at(spec.configuration),
          .test = &driver_of(plan, spec),
          .macro_step_s = spec.macro_step_s,
          .until_s = spec.until_s};
}

}  // namespace macrostep::engine
