#include "models/fmi/systems/write_system.hpp"

#include <pugixml.hpp>
#include <variant>

#include "models/fmi/description/write_description.hpp"
#include "models/fmi/xml/xml_text.hpp"

namespace macrostep::models::fmi {

namespace {

constexpr const char* ssp = "http://ssp-standard.org/SSP1/";
constexpr const char* fmu_type = "application/x-fmu-sharedlibrary";

/// The name of the system's own connector for an input.
std::string connector_of(const SystemPort& port) {
  return port.component + "." + port.variable;
}

void write_real(pugi::xml_node connector, const std::string& unit) {
  add_text(connector.append_child("ssc:Real"), "unit", unit);
}

void write_connector(pugi::xml_node list, const std::string& name, const WrittenPort& port) {
  auto connector = list.append_child("ssd:Connector");
  add(connector, "name", name);
  add(connector, "kind", std::string(to_string(port.causality)));
  write_real(connector, port.unit);
}

void write_value(pugi::xml_node parent, const std::string& prefix, const ParameterValue& value) {
  const auto* number = std::get_if<double>(&value);
  auto element = parent.append_child((prefix + (number ? "Real" : "String")).c_str());
  add(element, "value", number ? digits_of(*number) : std::get<std::string>(value));
}

void write_parameters(pugi::xml_node component, const ParameterValues& parameters) {
  if (parameters.empty()) {
    return;
  }
  auto set = component.append_child("ssd:ParameterBindings")
                 .append_child("ssd:ParameterBinding")
                 .append_child("ssd:ParameterValues")
                 .append_child("ssv:ParameterSet");
  add(set, "version", std::string("1.0"));
  add(set, "name", std::string("parameters"));
  auto list = set.append_child("ssv:Parameters");
  for (const auto& [name, value] : parameters) {
    auto parameter = list.append_child("ssv:Parameter");
    add(parameter, "name", name);
    write_value(parameter, "ssv:", value);
  }
}

void write_component(pugi::xml_node list, const WrittenComponent& written) {
  auto component = list.append_child("ssd:Component");
  add(component, "name", written.component.name);
  add(component, "type", std::string(fmu_type));
  add(component, "source", written.component.source);
  add(component, "implementation",
      std::string(written.model_exchange ? "ModelExchange" : "CoSimulation"));
  auto connectors = component.append_child("ssd:Connectors");
  for (const auto& port : written.ports) {
    write_connector(connectors, port.name, port);
  }
  write_parameters(component, written.component.parameters);
}

void write_connections(pugi::xml_node root, const WrittenSystem& system) {
  auto list = root.append_child("ssd:Connections");
  for (const auto& [from, to, bond] : system.connections) {
    auto connection = list.append_child("ssd:Connection");
    add(connection, "startElement", from.component);
    add(connection, "startConnector", from.variable);
    add(connection, "endElement", to.component);
    add(connection, "endConnector", to.variable);
  }
  for (const auto& input : system.inputs) {
    auto connection = list.append_child("ssd:Connection");
    add(connection, "startConnector", connector_of(input.to));
    add(connection, "endElement", input.to.component);
    add(connection, "endConnector", input.to.variable);
  }
}

/// <macrostep:Settings><macrostep:Setting name="…" value="…"/>…
void write_annotation(pugi::xml_node root, const WrittenSystem& system) {
  auto annotation = root.append_child("ssd:Annotations").append_child("ssc:Annotation");
  add(annotation, "type", std::string(annotation_type));
  auto settings = annotation.append_child("macrostep:Settings");
  add(settings, "xmlns:macrostep", std::string("urn:macrostep:settings"));
  const auto write = [&](const std::string& name, const std::string& value) {
    auto setting = settings.append_child("macrostep:Setting");
    add(setting, "name", name);
    add(setting, "value", value);
  };
  write("macro_step_s", digits_of(system.step_size_s));
  for (const auto& component : system.components) {
    write("step_size_s." + component.component.name, digits_of(component.step_size_s));
  }
  for (const auto& connection : system.connections) {
    if (!connection.power_bond.empty()) {
      write("power_bond." + connection.power_bond,
            connector_of(connection.from) + " -> " + connector_of(connection.to));
    }
  }
  for (const auto& [name, value] : system.settings) {
    write(name, value);
  }
}

void write_units(pugi::xml_node description, const std::vector<DeclaredUnit>& units) {
  if (units.empty()) {
    return;
  }
  auto list = description.append_child("ssd:Units");
  for (const auto& unit : units) {
    auto element = list.append_child("ssc:Unit");
    add(element, "name", unit.name);
    add_base_unit(element.append_child("ssc:BaseUnit"), unit);
  }
}

/// "--" ends a comment.
std::string comment_text(std::string text) {
  for (auto at = text.find("--"); at != std::string::npos; at = text.find("--")) {
    text.replace(at, 2, "- -");
  }
  return text;
}

std::string settings_comment(const WrittenSystem& system) {
  std::string text = " " + system.description + "\n";
  for (const auto& [name, value] : system.settings) {
    text += "       " + name + " = " + value + "\n";
  }
  return comment_text(text);
}

void write_number(pugi::xml_node parent, const char* element, double value) {
  parent.append_child(element).text().set(digits_of(value).c_str());
}

/// `causality`: of a power bond, whose variables must have one; else empty.
void write_variable(pugi::xml_node connection, const SystemPort& port,
                    const std::string& causality) {
  auto variable = connection.append_child("Variable");
  add(variable, "simulator", port.component);
  add(variable, "name", port.variable);
  add_text(variable, "causality", causality);
}

}  // namespace

std::string write_ssd(const WrittenSystem& system) {
  auto document = new_document();
  auto description = document.append_child("ssd:SystemStructureDescription");
  for (const auto& [prefix, name] : {std::pair{"xmlns:ssd", "SystemStructureDescription"},
                                     std::pair{"xmlns:ssc", "SystemStructureCommon"},
                                     std::pair{"xmlns:ssv", "SystemStructureParameterValues"}}) {
    add(description, prefix, std::string(ssp) + name);
  }
  add(description, "version", std::string("1.0"));
  add(description, "name", system.name);
  add_text(description, "description", system.description);
  auto root = description.append_child("ssd:System");
  add(root, "name", system.name);
  if (!system.inputs.empty()) {
    auto connectors = root.append_child("ssd:Connectors");
    for (const auto& input : system.inputs) {
      write_connector(connectors, connector_of(input.to), {.name = {}, .unit = input.unit});
    }
  }
  auto elements = root.append_child("ssd:Elements");
  for (const auto& component : system.components) {
    write_component(elements, component);
  }
  write_connections(root, system);
  write_annotation(root, system);
  write_units(description, system.units);
  auto experiment = description.append_child("ssd:DefaultExperiment");
  add(experiment, "startTime", 0.0);
  add(experiment, "stopTime", system.duration_s);
  return text_of(document);
}

std::string write_osp(const WrittenSystem& system) {
  auto document = new_document();
  document.append_child(pugi::node_comment).set_value(settings_comment(system).c_str());
  auto root = document.append_child("OspSystemStructure");
  add(root, "xmlns", std::string("http://opensimulationplatform.com/MSMI/OSPSystemStructure"));
  add(root, "version", std::string("0.1"));
  write_number(root, "StartTime", 0);
  write_number(root, "BaseStepSize", system.step_size_s);
  root.append_child("Algorithm").text().set("fixedStep");
  auto simulators = root.append_child("Simulators");
  for (const auto& written : system.components) {
    auto simulator = simulators.append_child("Simulator");
    add(simulator, "name", written.component.name);
    add(simulator, "source", written.component.source);
    add(simulator, "stepSize", written.step_size_s);
    if (written.component.parameters.empty()) {
      continue;
    }
    auto values = simulator.append_child("InitialValues");
    for (const auto& [name, value] : written.component.parameters) {
      auto initial = values.append_child("InitialValue");
      add(initial, "variable", name);
      write_value(initial, "", value);
    }
  }
  auto connections = root.append_child("Connections");
  for (const auto& [from, to, bond] : system.connections) {
    auto connection = connections.append_child("VariableConnection");
    add_text(connection, "powerBond", bond);
    write_variable(connection, from, bond.empty() ? "" : "output");
    write_variable(connection, to, bond.empty() ? "" : "input");
  }
  return text_of(document);
}

}  // namespace macrostep::models::fmi
