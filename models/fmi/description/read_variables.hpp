// Reads the variables of a model description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <pugixml.hpp>
#include <unordered_map>
#include <vector>

#include "models/fmi/description/model_description.hpp"
#include "models/fmi/description/read_types.hpp"

namespace macrostep::models::fmi {

/// Variables by what the model structure calls them.
struct VariableIndex {
  std::vector<std::size_t> of_element;                          ///< FMI 2: the i-th ScalarVariable
  std::unordered_map<std::uint32_t, std::size_t> of_reference;  ///< FMI 3
};

/// Fills the variables; throws FmuRefused.
VariableIndex read_variables(pugi::xml_node root, const TypeDefinitions& types,
                             ModelDescription& model);

}  // namespace macrostep::models::fmi
