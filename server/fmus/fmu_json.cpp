#include "server/fmus/fmu_json.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "models/fmi/simulation/fmu_model.hpp"
#include "server/json/json_text.hpp"

namespace macrostep::server::json {

namespace {

using Json = nlohmann::ordered_json;
using models::fmi::Causality;
using models::fmi::Interface;
using models::fmi::ModelDescription;
using models::fmi::Unknown;
using models::fmi::Variable;
using models::fmi::Version;

Json or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json common_flags(const Interface& interface) {
  return {{"model_identifier", interface.model_identifier},
          {"needs_execution_tool", interface.needs_execution_tool},
          {"only_one_instance_per_process", interface.only_one_instance_per_process},
          {"can_get_and_set_state", interface.can_get_and_set_state},
          {"can_serialize_state", interface.can_serialize_state},
          {"provides_directional_derivatives", interface.provides_directional_derivatives}};
}

Json co_simulation_json(const Interface& interface, Version version) {
  Json json = common_flags(interface);
  json["can_handle_variable_step"] = interface.can_handle_variable_step;
  json["fixed_internal_step_s"] = number(interface.fixed_internal_step_s);
  json["max_output_derivative_order"] = interface.max_output_derivative_order;
  if (version == Version::fmi2) {
    json["interpolates_inputs"] = interface.max_input_derivative_order > 0;
    json["runs_asynchronously"] = interface.runs_asynchronously;
  } else {
    json["provides_intermediate_update"] = interface.provides_intermediate_update;
    json["may_return_early"] = interface.may_return_early;
    json["has_event_mode"] = interface.has_event_mode;
  }
  return json;
}

Json model_exchange_json(const Interface& interface) {
  Json json = common_flags(interface);
  json["needs_completed_integrator_step"] = interface.needs_completed_integrator_step;
  return json;
}

Json interfaces_json(const models::fmi::Fmu& fmu) {
  const ModelDescription& model = fmu.description;
  Json interfaces = {{"co_simulation", nullptr}, {"model_exchange", nullptr}};
  if (fmu.co_simulation_library) {
    interfaces["co_simulation"] = co_simulation_json(*model.co_simulation, model.version);
  }
  if (fmu.model_exchange_library) {
    interfaces["model_exchange"] = model_exchange_json(*model.model_exchange);
  }
  return interfaces;
}

/// The start value of a boolean, text or number; null where the FMU gives none.
Json start_json(const Variable& variable) {
  if (variable.type == models::fmi::VariableType::string) {
    return variable.start_text ? Json(*variable.start_text) : Json();
  }
  if (variable.type == models::fmi::VariableType::boolean && variable.start) {
    return *variable.start != 0;
  }
  return number(variable.start);
}

Json variable_json(const ModelDescription& model, const Variable& variable) {
  return {{"name", variable.name},
          {"description", or_null(variable.description)},
          {"type", to_string(variable.type)},
          {"array", variable.array},
          {"unit", models::fmi::port_unit(model, variable)},
          {"declared_unit", or_null(variable.unit)},
          {"start", start_json(variable)},
          {"nominal", number(variable.nominal)},
          {"minimum", number(variable.minimum)},
          {"maximum", number(variable.maximum)}};
}

Json port_json(const ModelDescription& model, const Variable& variable) {
  Json port = variable_json(model, variable);
  port["continuous"] = models::fmi::is_continuous(variable);
  port["connectable"] = models::fmi::is_port(variable, variable.causality);
  return port;
}

/// The inputs that an output depends on without delay; null where the FMU does not say.
Json direct_inputs_json(const ModelDescription& model, const Unknown& output) {
  if (!output.dependencies) {
    return nullptr;
  }
  Json inputs = Json::array();
  for (const std::size_t index : *output.dependencies) {
    const Variable& variable = model.variables[index];
    if (variable.causality == Causality::input) {
      inputs.push_back(variable.name);
    }
  }
  return inputs;
}

Json output_json(const ModelDescription& model, const Unknown& output) {
  const Variable& variable = model.variables[output.variable];
  Json port = port_json(model, variable);
  port["derivative_of"] =
      variable.derivative_of ? Json(model.variables[*variable.derivative_of].name) : Json();
  port["direct_inputs"] = direct_inputs_json(model, output);
  return port;
}

Json inputs_json(const ModelDescription& model) {
  Json inputs = Json::array();
  for (const Variable& variable : model.variables) {
    if (variable.causality == Causality::input) {
      inputs.push_back(port_json(model, variable));
    }
  }
  return inputs;
}

Json outputs_json(const ModelDescription& model) {
  std::vector<const Unknown*> outputs;
  for (const Unknown& output : model.outputs) {
    if (model.variables[output.variable].causality == Causality::output) {
      outputs.push_back(&output);
    }
  }
  std::ranges::sort(outputs, {}, &Unknown::variable);
  Json array = Json::array();
  for (const Unknown* output : outputs) {
    array.push_back(output_json(model, *output));
  }
  return array;
}

Json parameters_json(const ModelDescription& model) {
  Json parameters = Json::array();
  for (const Variable& variable : model.variables) {
    if (variable.causality == Causality::parameter) {
      parameters.push_back(variable_json(model, variable));
    }
  }
  return parameters;
}

}  // namespace

nlohmann::ordered_json fmu_interfaces_json(const models::fmi::Fmu& fmu) {
  Json names = Json::array();
  if (fmu.co_simulation_library) {
    names.push_back("co_simulation");
  }
  if (fmu.model_exchange_library) {
    names.push_back("model_exchange");
  }
  return names;
}

nlohmann::ordered_json fmu_json(const models::fmi::Fmu& fmu) {
  const ModelDescription& model = fmu.description;
  Json integrators = Json::array();
  for (const auto integrator : models::fmi::offered_integrators(fmu)) {
    integrators.push_back(to_string(integrator));
  }
  const auto& experiment = model.experiment;
  return {{"sha256", fmu.sha256},
          {"model_name", model.model_name},
          {"description", or_null(model.description)},
          {"fmi_version", model.version_text},
          {"generation_tool", or_null(model.generation_tool)},
          {"interfaces", interfaces_json(fmu)},
          {"integrators", std::move(integrators)},
          {"inputs", inputs_json(model)},
          {"outputs", outputs_json(model)},
          {"parameters", parameters_json(model)},
          {"continuous_states", model.derivatives.size()},
          {"event_indicators", model.event_indicators},
          {"default_experiment",
           {{"start_s", number(experiment.start_s)},
            {"stop_s", number(experiment.stop_s)},
            {"tolerance", number(experiment.tolerance)},
            {"step_size_s", number(experiment.step_size_s)}}},
          {"notes", model.notes}};
}

}  // namespace macrostep::server::json
