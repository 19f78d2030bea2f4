#include "engine/job/make_subsystems.hpp"

#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

std::optional<double> micro_step_of(const MicroSteps& given, const SubsystemDefinition& subsystem) {
  const double* own = setting_of(given, subsystem);
  return own ? std::optional(*own) : subsystem.micro_step_s;
}

std::vector<std::unique_ptr<models::Subsystem>> make_subsystems(
    const Coupling& coupling, const MicroSteps& micro_steps, const Configuration& configuration) {
  std::vector<std::unique_ptr<models::Subsystem>> subsystems;
  for (const auto& definition : coupling.subsystems) {
    subsystems.push_back(definition.make(configuration.integrators.at(definition.group),
                                         micro_step_of(micro_steps, definition)));
    models::ensure(subsystems.back() != nullptr,
                   "the plan holds only integrators that are offered");
  }
  return subsystems;
}

}  // namespace macrostep::engine
