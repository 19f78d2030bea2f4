// SystemStructure.ssd of SSP 1.0: components, connections, parameter bindings. Names of elements
// are compared without their namespace prefix, which a document chooses for itself.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "models/fmi/systems/system_structure.hpp"

namespace macrostep::models::fmi {

/// The text of a file that the description names, or throws FmuRefused.
using ReadPart = std::function<std::string(const std::string& name)>;

/// Throws FmuRefused naming the element.
SystemStructure read_ssd(std::string_view xml, const ReadPart& read_part);

}  // namespace macrostep::models::fmi
