// The hydraulic actuator of several trials at once (models/lanes.hpp).
#include "models/hydraulic_actuator/hydraulic_actuator.hpp"
#include "models/lane_ode.hpp"

namespace macrostep::models {

std::unique_ptr<LaneSubsystem> make_hydraulic_actuator_lanes(
    [[maybe_unused]] const HydraulicActuatorParameters& parameters,
    [[maybe_unused]] const HydraulicEquilibrium& equilibrium,
    [[maybe_unused]] Integrator integrator, [[maybe_unused]] std::optional<double> micro_step_s) {
#ifdef __AVX2__
  const HydraulicActuator model(parameters, equilibrium);
  switch (integrator) {
    case Integrator::forward_euler:
      return std::make_unique<LaneOde<HydraulicActuator, ForwardEuler>>(model, micro_step_s);
    case Integrator::trapezoidal:
      return std::make_unique<LaneOde<HydraulicActuator, Trapezoidal>>(model, micro_step_s);
    default:
      break;
  }
#endif
  return nullptr;
}

}  // namespace macrostep::models
