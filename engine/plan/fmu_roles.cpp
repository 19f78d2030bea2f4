#include "engine/plan/fmu_roles.hpp"

#include <string_view>

namespace macrostep::engine {

namespace {

std::string_view events_of(const SubsystemDefinition& subsystem, models::Integrator integrator) {
  if (integrator == models::Integrator::fmu) {
    return subsystem.locates_own_events ? "located" : "inside";
  }
  return integrator == models::Integrator::cvode ? "located" : "at_micro_step_end";
}

}  // namespace

std::vector<FmuRole> fmu_roles(const Plan& plan, const Configuration& configuration) {
  std::vector<FmuRole> roles;
  for (const auto& subsystem : plan.coupling(configuration).subsystems) {
    if (!subsystem.foreign_code) {
      continue;
    }
    const auto integrator = configuration.integrators.at(subsystem.group);
    const bool own_solver = integrator == models::Integrator::fmu;
    roles.push_back({.subsystem = subsystem.name,
                     .interface = own_solver ? "co_simulation" : "model_exchange",
                     .inputs = input_method_of(plan, configuration, subsystem),
                     .events = events_of(subsystem, integrator)});
  }
  return roles;
}

}  // namespace macrostep::engine
