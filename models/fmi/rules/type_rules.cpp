#include "models/fmi/rules/type_rules.hpp"

#include <array>
#include <cmath>

#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::rules {

namespace {

void check_units(const RawDescription& raw, Report& report) {
  std::set<std::string_view> names;
  for (const auto unit : raw.root.child("UnitDefinitions").children("Unit")) {
    const std::string_view name = unit.attribute("name").value();
    if (name.empty()) {
      report.error(shown(unit), "has no name", "unit name");
    } else if (!names.insert(name).second) {
      report.error(shown(unit), "is defined twice", "unit name");
    }
    const auto base = unit.child("BaseUnit");
    const auto factor = base.attribute("factor");
    if (const auto value = number_from(factor.value());
        factor && (!value || *value == 0 || !std::isfinite(*value))) {
      report.error(shown(unit), "its factor is no number other than 0", "unit factor");
    }
    for (const char* exponent : {"kg", "m", "s", "A", "K", "mol", "cd", "rad"}) {
      const auto power = base.attribute(exponent);
      if (const auto value = number_from(power.value());
          power && (!value || *value != std::floor(*value))) {
        report.error(shown(unit), std::string("its exponent of ") + exponent + " is not whole",
                     "unit exponent");
      }
    }
  }
}

void check_items(pugi::xml_node definition, pugi::xml_node typed, Report& report) {
  std::set<std::string_view> names;
  std::set<std::string_view> values;
  bool any = false;
  for (const auto item : typed.children("Item")) {
    any = true;
    if (!names.insert(item.attribute("name").value()).second) {
      report.error(shown(definition), "two of its items have one name", "item");
    }
    if (!values.insert(item.attribute("value").value()).second) {
      report.error(shown(definition), "two of its items have one value", "item");
    }
  }
  if (!any) {
    report.error(shown(definition), "an enumeration needs an item", "item");
  }
}

void check_limits(pugi::xml_node definition, pugi::xml_node typed, Report& report) {
  const auto least = number_from(typed.attribute("min").value());
  const auto most = number_from(typed.attribute("max").value());
  if (least && most && *least > *most) {
    report.error(shown(definition), "its min is above its max", "type limits");
  }
}

}  // namespace

void check_types(const RawDescription& raw, Report& report) {
  check_units(raw, report);
  std::set<std::string_view> names;
  for (const auto definition : raw.root.child("TypeDefinitions").children()) {
    if (definition.type() != pugi::node_element) {
      continue;
    }
    const std::string_view name = definition.attribute("name").value();
    if (name.empty()) {
      report.error(shown(definition), "has no name", "type name");
      continue;
    }
    if (!names.insert(name).second) {
      report.error(shown(definition), "is defined twice", "type name");
      continue;
    }
    const auto& [typed, type] = raw.types.find(name)->second;
    if (!type) {
      report.error(shown(definition), "is no type of this version of FMI", "type kind");
      continue;
    }
    check_limits(definition, typed, report);
    if (type == VariableType::enumeration) {
      check_items(definition, typed, report);
    }
    if (const auto unit = typed.attribute("unit");
        unit && !raw.units.contains(std::string_view(unit.value()))) {
      report.error(shown(definition),
                   "its unit \"" + shown(std::string_view(unit.value())) + "\" is not defined",
                   "type unit");
    }
  }
}

}  // namespace macrostep::models::fmi::rules
