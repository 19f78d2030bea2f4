#include "models/fmi/description/read_types.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {
namespace {

using namespace std::string_view_literals;

constexpr std::array base_units{"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
constexpr int max_exponent = 100;

constexpr std::array fmi2_types{
    std::pair{"Real"sv, VariableType::float64},
    std::pair{"Integer"sv, VariableType::int32},
    std::pair{"Boolean"sv, VariableType::boolean},
    std::pair{"String"sv, VariableType::string},
    std::pair{"Enumeration"sv, VariableType::enumeration},
};

constexpr std::array fmi3_types{
    std::pair{"Float32"sv, VariableType::float32},
    std::pair{"Float64"sv, VariableType::float64},
    std::pair{"Int8"sv, VariableType::int8},
    std::pair{"UInt8"sv, VariableType::uint8},
    std::pair{"Int16"sv, VariableType::int16},
    std::pair{"UInt16"sv, VariableType::uint16},
    std::pair{"Int32"sv, VariableType::int32},
    std::pair{"UInt32"sv, VariableType::uint32},
    std::pair{"Int64"sv, VariableType::int64},
    std::pair{"UInt64"sv, VariableType::uint64},
    std::pair{"Boolean"sv, VariableType::boolean},
    std::pair{"String"sv, VariableType::string},
    std::pair{"Binary"sv, VariableType::binary},
    std::pair{"Clock"sv, VariableType::clock},
    std::pair{"Enumeration"sv, VariableType::enumeration},
};

int exponent_of(pugi::xml_node base, const char* unit) {
  const std::optional<double> value = number_of(base, unit);
  if (!value) return 0;
  if (*value != std::floor(*value) || std::abs(*value) > max_exponent)
    refuse(base, std::string(unit) + " is not a whole exponent");
  return static_cast<int>(*value);
}

DeclaredUnit read_unit(pugi::xml_node element) {
  DeclaredUnit unit;
  unit.name = name_of(element, "name");
  const pugi::xml_node base = element.child("BaseUnit");
  if (!base) return unit;
  unit.has_base = true;
  for (const char* name : base_units) unit.exponents.push_back(exponent_of(base, name));
  unit.factor = number_of(base, "factor").value_or(1);
  unit.offset = number_of(base, "offset").value_or(0);
  if (!std::isfinite(unit.factor) || unit.factor == 0)
    refuse(element, "its factor is no number other than 0");
  if (!std::isfinite(unit.offset)) refuse(element, "its offset is not finite");
  return unit;
}

// FMI 2 puts the type below a SimpleType; in FMI 3 the element itself is called Float64Type …
std::pair<pugi::xml_node, std::optional<VariableType>> typed_part(pugi::xml_node definition,
                                                                  Version version) {
  if (version == Version::fmi2) {
    for (const pugi::xml_node child : definition.children())
      if (const auto type = type_named(child.name(), version)) return {child, type};
    return {definition, std::nullopt};
  }
  std::string_view name = definition.name();
  if (!name.ends_with("Type")) return {definition, std::nullopt};
  name.remove_suffix("Type"sv.size());
  return {definition, type_named(name, version)};
}

}  // namespace

std::optional<VariableType> type_named(std::string_view element, Version version) {
  const auto find = [element](const auto& names) -> std::optional<VariableType> {
    for (const auto& [name, type] : names)
      if (name == element) return type;
    return std::nullopt;
  };
  return version == Version::fmi2 ? find(fmi2_types) : find(fmi3_types);
}

std::vector<DeclaredUnit> read_units(pugi::xml_node root) {
  std::vector<DeclaredUnit> units;
  std::set<std::string, std::less<>> names;
  for (const pugi::xml_node element : root.child("UnitDefinitions").children("Unit")) {
    units.push_back(read_unit(element));
    if (!names.insert(units.back().name).second) refuse(element, "is defined twice");
  }
  return units;
}

TypeDefinitions read_types(pugi::xml_node root, Version version) {
  TypeDefinitions types;
  for (const pugi::xml_node element : root.child("TypeDefinitions").children()) {
    if (element.type() != pugi::node_element) continue;
    const auto [part, type] = typed_part(element, version);
    if (!type) refuse(element, "is not a type of this version of FMI");
    TypeDefinition definition{.type = *type,
                              .unit = text_of(part, "unit").value_or(""),
                              .nominal = finite_number_of(part, "nominal"),
                              .minimum = finite_number_of(part, "min"),
                              .maximum = finite_number_of(part, "max")};
    if (!types.emplace(name_of(element, "name"), std::move(definition)).second)
      refuse(element, "is defined twice");
  }
  return types;
}

}  // namespace macrostep::models::fmi
