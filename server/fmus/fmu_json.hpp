// An FMU as JSON: what it says of itself and what it can be used for here.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/fmi/archive/fmu.hpp"

namespace macrostep::server::json {

/// Interfaces with their flags, integrators, ports and parameters with their units, the default
/// experiment, notes.
nlohmann::ordered_json fmu_json(const models::fmi::Fmu& fmu);

/// ["co_simulation", "model_exchange"], what the FMU has a library for.
nlohmann::ordered_json fmu_interfaces_json(const models::fmi::Fmu& fmu);

}  // namespace macrostep::server::json
