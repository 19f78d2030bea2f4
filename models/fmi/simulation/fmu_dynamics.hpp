// A model-exchange FMU as the plain functions of dynamics.hpp.
#pragma once

#include <string>

#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/simulation/fmu_model.hpp"
#include "models/integrators/dynamics.hpp"

namespace macrostep::models::fmi {

/// Why there is no fmu_dynamics(), as a sentence's end; empty if there is.
std::string why_no_dynamics(const Fmu& fmu);

/// The equations behind model exchange, with an instance of their own from start() on. Copies share
/// it.
Dynamics fmu_dynamics(FmuModelPointer model);

}  // namespace macrostep::models::fmi
