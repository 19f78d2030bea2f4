// How a configuration uses the FMUs of its problem: what a reader of a result must know, because it
// is not theirs to see.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/plan.hpp"

namespace macrostep::engine {

struct FmuRole {
  std::string subsystem;
  std::string_view interface;  ///< co_simulation or model_exchange
  models::InputMethod inputs = models::InputMethod::native;
  /// When an event counts: `inside` (the FMU's own business), `located`, or `at_micro_step_end`
  /// where the stepper is fixed.
  std::string_view events;
};

/// In the order of the coupling's subsystems; empty where there is no FMU.
std::vector<FmuRole> fmu_roles(const Plan& plan, const Configuration& configuration);

}  // namespace macrostep::engine
