// Reads units and type definitions of a model description.
#pragma once

#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi {

/// What variables take over from their declared type.
struct TypeDefinition {
  VariableType type = VariableType::float64;
  std::string unit;
  std::optional<double> nominal;
  std::optional<double> minimum;
  std::optional<double> maximum;
};

using TypeDefinitions = std::map<std::string, TypeDefinition, std::less<>>;

std::vector<DeclaredUnit> read_units(pugi::xml_node root);
TypeDefinitions read_types(pugi::xml_node root, Version version);
/// The type of FMI 2's "Real", FMI 3's "Float64" …; nothing for another name.
std::optional<VariableType> type_named(std::string_view element, Version version);

}  // namespace macrostep::models::fmi
