// Systems of FMUs that other tools describe (SSP, OSP), for those who make jobs of them.
#pragma once

#include "models/fmi/open_system.hpp"
#include "models/fmi/system_structure.hpp"

namespace macrostep::engine {

using models::fmi::is_system_file;
using models::fmi::open_system;
using models::fmi::SystemComponent;
using models::fmi::SystemPort;
using models::fmi::SystemStructure;

}  // namespace macrostep::engine
