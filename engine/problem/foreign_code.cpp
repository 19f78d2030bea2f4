#include "engine/problem/foreign_code.hpp"

#include <algorithm>
#include <optional>

#include "models/fmi/instance/permit_loading.hpp"

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

bool is_once_per_process(const models::fmi::Fmu& fmu) {
  const auto once = [](const std::optional<models::fmi::Interface>& interface) {
    return interface && interface->only_one_instance_per_process;
  };
  return once(fmu.description.co_simulation) || once(fmu.description.model_exchange);
}

void permit_foreign_code() {
  models::fmi::permit_loading();
}

bool may_run_here(const Coupling& coupling) {
  return models::fmi::loading_permitted() || !has_foreign_code(coupling);
}

}  // namespace macrostep::engine
