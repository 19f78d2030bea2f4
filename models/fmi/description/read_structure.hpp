// Reads the model structure: outputs, derivatives of the continuous states, and what they depend
// on.
#pragma once

#include <pugixml.hpp>

#include "models/fmi/description/model_description.hpp"
#include "models/fmi/description/read_variables.hpp"

namespace macrostep::models::fmi {

/// Fills outputs, derivatives and event indicators; throws FmuRefused.
void read_structure(pugi::xml_node root, const VariableIndex& index, ModelDescription& model);

}  // namespace macrostep::models::fmi
