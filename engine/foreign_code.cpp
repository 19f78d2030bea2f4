#include "engine/foreign_code.hpp"

#include <algorithm>

#include "models/fmi/permit_loading.hpp"

namespace macrostep::engine {

namespace {

bool has_foreign_code(const Coupling& coupling) {
  return std::ranges::any_of(coupling.subsystems, &SubsystemDefinition::foreign_code);
}

}  // namespace

bool has_foreign_code(const Problem& problem) {
  return std::ranges::any_of(problem.couplings,
                             [](const Coupling& coupling) { return has_foreign_code(coupling); });
}

bool has_foreign_code(const Plan& plan) {
  return has_foreign_code(plan.problem);
}

std::vector<FmuPointer> fmus_of(const Plan& plan) {
  std::vector<FmuPointer> fmus;
  if (!plan.job.own_problem) {
    return fmus;
  }
  for (const auto& subsystem : plan.job.own_problem->subsystems) {
    const auto same = [&](const FmuPointer& known) {
      return known->sha256 == subsystem.fmu->fmu->sha256;
    };
    if (subsystem.fmu && std::ranges::none_of(fmus, same)) {
      fmus.push_back(subsystem.fmu->fmu);
    }
  }
  return fmus;
}

bool is_once_per_process(const models::fmi::Fmu& fmu) {
  const auto once = [](const std::optional<models::fmi::Interface>& interface) {
    return interface && interface->only_one_instance_per_process;
  };
  return once(fmu.description.co_simulation) || once(fmu.description.model_exchange);
}

bool is_once_per_process(const Plan& plan) {
  return std::ranges::any_of(fmus_of(plan),
                             [](const FmuPointer& fmu) { return is_once_per_process(*fmu); });
}

void permit_foreign_code() {
  models::fmi::permit_loading();
}

bool may_run_here(const Coupling& coupling) {
  return models::fmi::loading_permitted() || !has_foreign_code(coupling);
}

}  // namespace macrostep::engine
