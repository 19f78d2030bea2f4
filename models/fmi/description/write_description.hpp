// Writes modelDescription.xml of FMI 2.0 and 3.0 from a description (model_description.hpp): of
// scalar real variables, without types of their own.
#pragma once

#include <pugixml.hpp>
#include <string>

#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi {

/// The first unknowns of a description's initialisation are all its outputs, states and derivatives
/// of states that are calculated.
std::string write_model_description(const ModelDescription& description);

/// The attributes of a BaseUnit: exponents that are not 0, factor and offset.
void add_base_unit(pugi::xml_node element, const DeclaredUnit& unit);

}  // namespace macrostep::models::fmi
