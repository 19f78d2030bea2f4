// The hydraulic actuator of several trials at once (models/lanes/lanes.hpp).
#pragma once

#include "models/hydraulic_actuator/hydraulic_actuator.hpp"
#include "models/lanes/lane_ode.hpp"

#ifdef MACROSTEP_LANES

namespace macrostep::models {

template <>
std::unique_ptr<LaneSubsystem> make_hydraulic_actuator_lanes<compiled_level>(
    const HydraulicActuatorParameters& parameters, const HydraulicEquilibrium& equilibrium,
    Integrator integrator, std::optional<double> micro_step_s) {
  const HydraulicActuator model(parameters, equilibrium);
  switch (integrator) {
    case Integrator::forward_euler:
      return std::make_unique<LaneOde<HydraulicActuator, ForwardEuler>>(model, micro_step_s);
    case Integrator::trapezoidal:
      return std::make_unique<LaneOde<HydraulicActuator, Trapezoidal>>(model, micro_step_s);
    default:
      return nullptr;
  }
}

}  // namespace macrostep::models

#endif
