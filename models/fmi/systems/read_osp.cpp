#include "models/fmi/systems/read_osp.hpp"

#include <pugixml.hpp>
#include <string>
#include <utility>

#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {

namespace {

constexpr const char* what = "OspSystemStructure.xml";

/// The one typed child of an initial value: <Real value="1"/>.
ParameterValue value_of(pugi::xml_node initial) {
  const pugi::xml_node typed = initial.first_child();
  const std::string type = typed.name();
  if (type == "String") {
    return text_of(typed, "value").value_or("");
  }
  if (type == "Boolean") {
    return boolean_of(typed, "value").value_or(false) ? 1.0 : 0.0;
  }
  const auto number = number_of(typed, "value");
  if ((type != "Real" && type != "Integer") || !number) {
    refuse(initial, "needs one of Real, Integer, Boolean and String with a value");
  }
  return *number;
}

SystemComponent read_simulator(pugi::xml_node simulator) {
  SystemComponent component{.name = name_of(simulator, "name"),
                            .source = name_of(simulator, "source")};
  for (const auto initial : simulator.child("InitialValues").children("InitialValue")) {
    component.parameters[name_of(initial, "variable")] = value_of(initial);
  }
  return component;
}

SystemPort read_port(pugi::xml_node variable) {
  return {.component = name_of(variable, "simulator"), .variable = name_of(variable, "name")};
}

SystemConnection read_connection(pugi::xml_node connection) {
  const auto from = connection.child("Variable");
  const auto to = from.next_sibling("Variable");
  if (!from || !to || to.next_sibling("Variable")) {
    refuse(connection, "needs two variables, the output first");
  }
  return {
      .from = read_port(from),
      .to = read_port(to),
      .power_bond =
          text_of(connection, "powerBond").value_or(text_of(connection, "powerbond").value_or(""))};
}

/// Text of an element as a number, if it is there.
std::optional<double> element_number(pugi::xml_node parent, const char* name) {
  const auto element = parent.child(name);
  if (!element) {
    return std::nullopt;
  }
  const auto number = number_from(element.child_value());
  if (!number) {
    refuse(element, "is no number");
  }
  return number;
}

}  // namespace

SystemStructure read_osp(std::string_view xml) {
  SystemStructure system;
  const auto document = parse_xml(xml, what, system.notes);
  const auto root = document.child("OspSystemStructure");
  if (!root) {
    throw FmuRefused(std::string(what) + " has no element OspSystemStructure");
  }
  system.name = "OSP system";
  system.step_size_s = element_number(root, "BaseStepSize");
  for (const auto simulator : root.child("Simulators").children("Simulator")) {
    system.components.push_back(read_simulator(simulator));
    if (simulator.attribute("stepSize")) {
      system.notes.push_back("stepSize of simulator '" + system.components.back().name +
                             "' is not taken over: use substeps");
    }
    if (system.components.size() > max_components) {
      refuse(simulator, "is one of too many");
    }
  }
  for (const auto connection : root.child("Connections").children()) {
    const std::string kind = connection.name();
    if (kind == "VariableConnection") {
      system.connections.push_back(read_connection(connection));
    } else {
      refuse(connection, "is not supported: connect single variables by VariableConnection");
    }
  }
  if (root.child("Functions")) {
    refuse(root.child("Functions"), "are not supported: they would stand between two FMUs");
  }
  return system;
}

}  // namespace macrostep::models::fmi
