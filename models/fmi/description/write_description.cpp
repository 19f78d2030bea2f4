#include "models/fmi/description/write_description.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <pugixml.hpp>

#include "models/fmi/xml/xml_text.hpp"

namespace macrostep::models::fmi {
namespace {

constexpr std::array base_units{"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

std::string word_of(Initial initial) {
  switch (initial) {
    case Initial::exact:
      return "exact";
    case Initial::approx:
      return "approx";
    default:
      return "calculated";
  }
}

void write_common(pugi::xml_node element, const Interface& interface, bool fmi2) {
  add(element, "modelIdentifier", interface.model_identifier);
  add_flag(element, "needsExecutionTool", interface.needs_execution_tool);
  add_flag(element, "canBeInstantiatedOnlyOncePerProcess", interface.only_one_instance_per_process);
  add_flag(element, fmi2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState",
           interface.can_get_and_set_state);
  add_flag(element, fmi2 ? "canSerializeFMUstate" : "canSerializeFMUState",
           interface.can_serialize_state);
  add_flag(element, fmi2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives",
           interface.provides_directional_derivatives);
}

void write_model_exchange(pugi::xml_node root, const Interface& interface, bool fmi2) {
  auto element = root.append_child("ModelExchange");
  write_common(element, interface, fmi2);
  if (fmi2) {
    add_flag(element, "completedIntegratorStepNotNeeded",
             !interface.needs_completed_integrator_step);
  } else {
    add_flag(element, "needsCompletedIntegratorStep", interface.needs_completed_integrator_step);
  }
}

void write_co_simulation(pugi::xml_node root, const Interface& interface, bool fmi2) {
  auto element = root.append_child("CoSimulation");
  write_common(element, interface, fmi2);
  add_flag(element, "canHandleVariableCommunicationStepSize", interface.can_handle_variable_step);
  add(element, "fixedInternalStepSize", interface.fixed_internal_step_s);
  if (interface.max_output_derivative_order > 0) {
    add_count(element, "maxOutputDerivativeOrder",
              static_cast<std::size_t>(interface.max_output_derivative_order));
  }
  if (fmi2) {
    add_flag(element, "canInterpolateInputs", interface.max_input_derivative_order > 0);
    return;
  }
  add_flag(element, "providesIntermediateUpdate", interface.provides_intermediate_update);
  add_flag(element, "mightReturnEarlyFromDoStep", interface.may_return_early);
  add_flag(element, "hasEventMode", interface.has_event_mode);
}

void write_units(pugi::xml_node root, const std::vector<DeclaredUnit>& units) {
  if (units.empty()) {
    return;
  }
  auto list = root.append_child("UnitDefinitions");
  for (const auto& unit : units) {
    auto element = list.append_child("Unit");
    add(element, "name", unit.name);
    if (!unit.has_base) {
      continue;
    }
    add_base_unit(element.append_child("BaseUnit"), unit);
  }
}

void write_log_and_experiment(pugi::xml_node root, const ModelDescription& model) {
  if (!model.log_categories.empty()) {
    auto list = root.append_child("LogCategories");
    for (const auto& category : model.log_categories) {
      add(list.append_child("Category"), "name", category);
    }
  }
  const auto& experiment = model.experiment;
  auto element = root.append_child("DefaultExperiment");
  add(element, "startTime", experiment.start_s);
  add(element, "stopTime", experiment.stop_s);
  add(element, "tolerance", experiment.tolerance);
  add(element, "stepSize", experiment.step_size_s);
}

void write_variable(pugi::xml_node list, const ModelDescription& model, const Variable& variable) {
  const bool fmi2 = model.version == Version::fmi2;
  auto element = list.append_child(fmi2 ? "ScalarVariable" : "Float64");
  add(element, "name", variable.name);
  add_count(element, "valueReference", variable.reference);
  add_text(element, "description", variable.description);
  add(element, "causality", std::string(to_string(variable.causality)));
  add(element, "variability", std::string(to_string(variable.variability)));
  add_flag(element, "intermediateUpdate", !fmi2 && variable.intermediate_update);
  if (variable.initial) {
    add(element, "initial", word_of(*variable.initial));
  }
  auto real = fmi2 ? element.append_child("Real") : element;
  add_text(real, "unit", variable.unit);
  add(real, "min", variable.minimum);
  add(real, "max", variable.maximum);
  add(real, "nominal", variable.nominal);
  add(real, "start", variable.start);
  if (variable.derivative_of) {
    const auto at = *variable.derivative_of;
    add_count(real, "derivative", fmi2 ? at + 1 : model.variables[at].reference);
  }
}

/// FMI 2 numbers variables from 1, FMI 3 names them by their references.
std::string place_of(const ModelDescription& model, std::size_t variable) {
  return std::to_string(model.version == Version::fmi2 ? variable + 1
                                                       : model.variables[variable].reference);
}

void write_unknown(pugi::xml_node list, const char* name, const ModelDescription& model,
                   const Unknown& unknown) {
  const bool fmi2 = model.version == Version::fmi2;
  auto element = list.append_child(name);
  add(element, fmi2 ? "index" : "valueReference", place_of(model, unknown.variable));
  if (unknown.dependencies) {
    std::string places;
    for (const auto variable : *unknown.dependencies) {
      places += (places.empty() ? "" : " ") + place_of(model, variable);
    }
    add(element, "dependencies", places);
  }
}

/// Outputs, derivatives and states that are calculated, in the order of the variables.
std::vector<Unknown> initial_unknowns(const ModelDescription& model) {
  std::vector<std::size_t> found;
  const auto take = [&](std::size_t variable) {
    if (model.variables[variable].initial == Initial::calculated) {
      found.push_back(variable);
    }
  };
  for (const auto& output : model.outputs) {
    take(output.variable);
  }
  for (const auto& derivative : model.derivatives) {
    take(derivative.variable);
    if (const auto state = model.variables[derivative.variable].derivative_of) {
      take(*state);
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<Unknown> unknowns;
  for (const auto variable : found) {
    unknowns.push_back({.variable = variable});
  }
  return unknowns;
}

void write_structure(pugi::xml_node root, const ModelDescription& model) {
  const bool fmi2 = model.version == Version::fmi2;
  auto structure = root.append_child("ModelStructure");
  const auto write = [&](const std::vector<Unknown>& unknowns, const char* list, const char* name) {
    if (unknowns.empty()) {
      return;
    }
    auto parent = fmi2 ? structure.append_child(list) : structure;
    for (const auto& unknown : unknowns) {
      write_unknown(parent, fmi2 ? "Unknown" : name, model, unknown);
    }
  };
  write(model.outputs, "Outputs", "Output");
  write(model.derivatives, "Derivatives", "ContinuousStateDerivative");
  write(initial_unknowns(model), "InitialUnknowns", "InitialUnknown");
}

}  // namespace

void add_base_unit(pugi::xml_node element, const DeclaredUnit& unit) {
  for (std::size_t i = 0; i < unit.exponents.size(); ++i) {
    if (unit.exponents[i] != 0) {
      add(element, base_units[i], std::to_string(unit.exponents[i]));
    }
  }
  if (unit.factor != 1) {
    add(element, "factor", unit.factor);
  }
  if (unit.offset != 0) {
    add(element, "offset", unit.offset);
  }
}

std::string write_model_description(const ModelDescription& model) {
  const bool fmi2 = model.version == Version::fmi2;
  auto document = new_document();
  auto root = document.append_child("fmiModelDescription");
  add(root, "fmiVersion", std::string(fmi2 ? "2.0" : "3.0"));
  add(root, "modelName", model.model_name);
  add(root, fmi2 ? "guid" : "instantiationToken", model.token);
  add_text(root, "description", model.description);
  add_text(root, "generationTool", model.generation_tool);
  add(root, "variableNamingConvention", std::string("flat"));
  if (fmi2) {
    add_count(root, "numberOfEventIndicators", model.event_indicators);
  }
  if (model.model_exchange) {
    write_model_exchange(root, *model.model_exchange, fmi2);
  }
  if (model.co_simulation) {
    write_co_simulation(root, *model.co_simulation, fmi2);
  }
  write_units(root, model.units);
  write_log_and_experiment(root, model);
  auto variables = root.append_child("ModelVariables");
  for (const auto& variable : model.variables) {
    write_variable(variables, model, variable);
  }
  write_structure(root, model);
  return text_of(document);
}

}  // namespace macrostep::models::fmi
