#include "engine/ensemble/sharing.hpp"

#include <algorithm>
#include <variant>

#include "models/lanes/lane_subsystem.hpp"

namespace macrostep::engine {

bool steps_in_lanes(const Plan& plan, const Configuration& configuration) {
  if (!models::has_lanes() || configuration.scheme != Scheme::jacobi ||
      configuration.correction != Correction::none ||
      (configuration.extrapolation > Extrapolation::order_4 &&
       !integrates_derivatives(configuration.extrapolation))) {
    return false;
  }
  const auto schedule = schedule_of(plan, configuration);
  const auto& graph = plan.graph(configuration);
  return std::holds_alternative<Schedule>(schedule) && std::get<Schedule>(schedule).ticks == 1 &&
         graph.energy_outputs.empty() &&
         std::ranges::none_of(graph.inputs, &GraphInput::delay_macro_steps) &&
         std::ranges::none_of(graph.bonds, &GraphBond::computed) &&
         std::ranges::all_of(plan.coupling(configuration).subsystems,
                             [](const auto& subsystem) { return bool(subsystem.make_lanes); });
}

bool goes_on_from_one_start(const Plan& plan, const Configuration& configuration) {
  return configuration.correction == Correction::none &&
         std::ranges::all_of(plan.coupling(configuration).subsystems, [&](const auto& subsystem) {
           // CVODE chooses its steps by what it remembers of those before.
           return !subsystem.foreign_code && subsystem.description.can_roll_back &&
                  configuration.integrators.at(subsystem.group) != models::Integrator::cvode;
         });
}

bool may_run_together(const TrialSettings& settings) {
  return !settings.step_times && !settings.samples && !settings.energies && !settings.progress;
}

}  // namespace macrostep::engine
