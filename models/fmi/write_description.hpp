// Writes modelDescription.xml of FMI 2.0 and 3.0 from a description (model_description.hpp): of
// scalar real variables, without types of their own.
#pragma once

#include <string>

#include "models/fmi/model_description.hpp"

namespace macrostep::models::fmi {

/// The first unknowns of a description's initialisation are all its outputs, states and derivatives
/// of states that are calculated.
std::string write_model_description(const ModelDescription& description);

}  // namespace macrostep::models::fmi
