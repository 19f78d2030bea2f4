// OspSystemStructure.xml: simulators with initial values, connections between variables, and power
// bonds as an attribute of two connections.
#pragma once

#include <string_view>

#include "models/fmi/systems/system_structure.hpp"

namespace macrostep::models::fmi {

/// Throws FmuRefused naming the element.
SystemStructure read_osp(std::string_view xml);

}  // namespace macrostep::models::fmi
