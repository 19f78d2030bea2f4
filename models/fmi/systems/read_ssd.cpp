#include "models/fmi/systems/read_ssd.hpp"

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {

namespace {

constexpr const char* what = "SystemStructure.ssd";
constexpr std::string_view fmu_type = "application/x-fmu-sharedlibrary";

std::string_view local_name(pugi::xml_node node) {
  const std::string_view name = node.name();
  const auto colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

pugi::xml_node child(pugi::xml_node parent, std::string_view name) {
  return parent.find_child([&](pugi::xml_node node) { return local_name(node) == name; });
}

template <class Visit>
void for_each(pugi::xml_node parent, std::string_view name, Visit visit) {
  for (const auto node : parent.children()) {
    if (local_name(node) == name) {
      visit(node);
    }
  }
}

/// <ssv:Parameter name="m"><ssv:Real value="1"/></ssv:Parameter>
ParameterValue value_of(pugi::xml_node parameter) {
  for (const auto typed : parameter.children()) {
    const auto type = local_name(typed);
    if (type == "String" || type == "Enumeration") {
      return text_of(typed, "value").value_or("");
    }
    if (type == "Boolean") {
      return boolean_of(typed, "value").value_or(false) ? 1.0 : 0.0;
    }
    const auto number = number_of(typed, "value");
    if ((type == "Real" || type == "Integer") && number) {
      return *number;
    }
  }
  refuse(parameter, "needs a Real, Integer, Boolean or String with a value");
}

class Reader {
 public:
  Reader(SystemStructure& system, const ReadPart& read_part)
      : system_(system), read_part_(read_part) {}

  void read(pugi::xml_node description) {
    const auto root = child(description, "System");
    if (!root) {
      refuse(description, "has no System");
    }
    system_.name = text_of(root, "name").value_or("SSP system");
    for_each(child(root, "Elements"), "System", [](pugi::xml_node nested) {
      refuse(nested, "is a system within the system, which is not supported: flatten it");
    });
    for_each(child(root, "Elements"), "SignalDictionaryReference", [](pugi::xml_node reference) {
      refuse(reference, "is not supported: connect the components themselves");
    });
    for_each(child(root, "Elements"), "Component",
             [&](pugi::xml_node component) { read_component(component); });
    read_bindings(root, [&](std::string name, ParameterValue value) {
      set_in_component(root, std::move(name), std::move(value));
    });
    for_each(child(root, "Connections"), "Connection",
             [&](pugi::xml_node connection) { read_connection(connection); });
    read_annotation(root);
    const auto experiment = child(description, "DefaultExperiment");
    const auto start_s = number_of(experiment, "startTime").value_or(0);
    if (const auto stop_s = number_of(experiment, "stopTime"); stop_s && *stop_s > start_s) {
      system_.duration_s = *stop_s - start_s;
    }
  }

 private:
  void read_component(pugi::xml_node element) {
    SystemComponent component{.name = name_of(element, "name"),
                              .source = name_of(element, "source")};
    const auto type = text_of(element, "type");
    if (type && *type != fmu_type) {
      refuse(element, "has the type " + *type + ", and only FMUs are supported");
    }
    read_bindings(element, [&](std::string name, ParameterValue value) {
      component.parameters[std::move(name)] = std::move(value);
    });
    system_.components.push_back(std::move(component));
    if (system_.components.size() > max_components) {
      refuse(element, "is one of too many");
    }
  }

  /// Parameters of a component or of the system: inline, or in a file of their own (.ssv).
  template <class Set>
  void read_bindings(pugi::xml_node element, Set set) {
    for_each(child(element, "ParameterBindings"), "ParameterBinding", [&](pugi::xml_node binding) {
      if (child(binding, "ParameterMapping")) {
        refuse(binding, "maps parameters to other names, which is not supported");
      }
      const std::string prefix = text_of(binding, "prefix").value_or("");
      if (const auto source = text_of(binding, "source")) {
        const auto document = parse_xml(read_part_(*source), *source, system_.notes);
        for (const auto set_element : document.children()) {
          read_parameter_set(set_element, prefix, set);
        }
        return;
      }
      for_each(child(binding, "ParameterValues"), "ParameterSet",
               [&](pugi::xml_node values) { read_parameter_set(values, prefix, set); });
    });
  }

  template <class Set>
  void read_parameter_set(pugi::xml_node values, const std::string& prefix, Set set) {
    for_each(child(values, "Parameters"), "Parameter", [&](pugi::xml_node parameter) {
      set(prefix + name_of(parameter, "name"), value_of(parameter));
    });
  }

  /// "component.parameter".
  void set_in_component(pugi::xml_node root, std::string name, ParameterValue value) {
    for (auto& component : system_.components) {
      if (name.starts_with(component.name + ".")) {
        component.parameters[name.substr(component.name.size() + 1)] = std::move(value);
        return;
      }
    }
    refuse(root, "sets the parameter '" + name + "' of no component");
  }

  void read_connection(pugi::xml_node element) {
    if (const auto transformation = child(element, "LinearTransformation")) {
      if (number_of(transformation, "factor").value_or(1) != 1 ||
          number_of(transformation, "offset").value_or(0) != 0) {
        refuse(element, "transforms its values, which is not supported");
      }
    }
    for (const char* name : {"BooleanMappingTransformation", "IntegerMappingTransformation",
                             "EnumerationMappingTransformation"}) {
      if (child(element, name)) {
        refuse(element, "maps its values, which is not supported");
      }
    }
    SystemConnection connection{.from = {.component = text_of(element, "startElement").value_or(""),
                                         .variable = name_of(element, "startConnector")},
                                .to = {.component = text_of(element, "endElement").value_or(""),
                                       .variable = name_of(element, "endConnector")},
                                .power_bond = {}};
    if (connection.to.component.empty()) {
      return;  // an output of the system: every output is shown anyway
    }
    auto& list = connection.from.component.empty() ? system_.inputs : system_.connections;
    list.push_back(std::move(connection));
  }

  void read_annotation(pugi::xml_node root) {
    for_each(child(root, "Annotations"), "Annotation", [&](pugi::xml_node annotation) {
      if (text_of(annotation, "type") != annotation_type) {
        return;  // another tool's
      }
      for_each(child(annotation, "Settings"), "Setting", [&](pugi::xml_node setting) {
        if (text_of(setting, "name") == job_setting) {
          system_.job_settings = setting.attribute("value").value();  // of any length
        }
      });
      if (!system_.job_settings) {
        system_.notes.push_back(
            "the settings of its macrostep annotation are not taken over: it "
            "has none named 'job'");
      }
    });
  }

  SystemStructure& system_;
  const ReadPart& read_part_;
};

}  // namespace

SystemStructure read_ssd(std::string_view xml, const ReadPart& read_part) {
  SystemStructure system;
  const auto document = parse_xml(xml, what, system.notes);
  const auto description = child(document, "SystemStructureDescription");
  if (!description) {
    throw FmuRefused(std::string(what) + " has no element SystemStructureDescription");
  }
  Reader(system, read_part).read(description);
  return system;
}

}  // namespace macrostep::models::fmi
