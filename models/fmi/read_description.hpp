// The parts that read_model_description is put together from; each fills its members and throws
// FmuRefused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/fmi/model_description.hpp"

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

/// Variables by what the model structure calls them.
struct VariableIndex {
  std::vector<std::size_t> of_element;                          ///< FMI 2: the i-th ScalarVariable
  std::unordered_map<std::uint32_t, std::size_t> of_reference;  ///< FMI 3
};

// read_types.cpp
std::vector<DeclaredUnit> read_units(pugi::xml_node root);
TypeDefinitions read_types(pugi::xml_node root, Version version);
/// Of FMI 2's "Real", FMI 3's "Float64" …; nothing for another name.
std::optional<VariableType> type_named(std::string_view element, Version version);

// read_variables.cpp
VariableIndex read_variables(pugi::xml_node root, const TypeDefinitions& types,
                             ModelDescription& model);

// read_structure.cpp
void read_structure(pugi::xml_node root, const VariableIndex& index, ModelDescription& model);

/// Adds a note, up to a count that a person reads.
void note(ModelDescription& model, std::string text);

/// Nothing for what is not finite, which says nothing.
std::optional<double> finite_number_of(pugi::xml_node element, const char* attribute);

bool is_float(VariableType type);

}  // namespace macrostep::models::fmi
