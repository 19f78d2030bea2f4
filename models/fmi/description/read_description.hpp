// Reads modelDescription.xml (model_description.hpp).
#pragma once

#include <string_view>

#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi {

/// Throws FmuRefused (fmu_refused.hpp) naming the element and what is wrong with it: XML that is
/// not well-formed or declares entities, an unknown version, missing attributes, doubled names or
/// references to variables that do not exist.
ModelDescription read_model_description(std::string_view xml);

}  // namespace macrostep::models::fmi
