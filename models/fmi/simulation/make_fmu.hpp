// From an FMU in its role (fmu_model.hpp) and an integrator to the subsystem: co-simulation or
// model exchange, of either version.
#pragma once

#include <memory>
#include <optional>

#include "models/fmi/simulation/fmu_model.hpp"
#include "models/integrators/integrator.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

/// Null for an integrator that is not offered.
std::unique_ptr<Subsystem> make_fmu(FmuModelPointer model, Integrator integrator,
                                    std::optional<double> micro_step_s);

}  // namespace macrostep::models::fmi
