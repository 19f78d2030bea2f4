#include "models/fmi/description/read_description.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>

#include "models/fmi/description/read_structure.hpp"
#include "models/fmi/description/read_types.hpp"
#include "models/fmi/description/read_variables.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {
namespace {

constexpr std::size_t max_log_categories = 10'000;

// FMI 2 asks whether inputs are interpolated, not by polynomials of which order. An FMU that cannot
// take the highest one that a master here uses answers so when it is set.
constexpr int fmi2_input_derivative_order = 4;

// A library is named after it.
std::string model_identifier(pugi::xml_node element) {
  std::string identifier = name_of(element, "modelIdentifier");
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  if (!std::ranges::all_of(identifier, allowed) || identifier.front() == '.' ||
      identifier.size() > 200)
    refuse(element, "its modelIdentifier is no name of a library");
  return identifier;
}

bool flag(pugi::xml_node element, const char* attribute) {
  return boolean_of(element, attribute).value_or(false);
}

int order_of(pugi::xml_node element, const char* attribute) {
  const std::uint64_t order = count_of(element, attribute).value_or(0);
  return static_cast<int>(std::min<std::uint64_t>(order, 1000));
}

Interface read_fmi2_interface(pugi::xml_node element) {
  return {.model_identifier = model_identifier(element),
          .needs_execution_tool = flag(element, "needsExecutionTool"),
          .only_one_instance_per_process = flag(element, "canBeInstantiatedOnlyOncePerProcess"),
          .can_get_and_set_state = flag(element, "canGetAndSetFMUstate"),
          .can_serialize_state = flag(element, "canSerializeFMUstate"),
          .provides_directional_derivatives = flag(element, "providesDirectionalDerivative"),
          .can_handle_variable_step = flag(element, "canHandleVariableCommunicationStepSize"),
          .max_input_derivative_order =
              flag(element, "canInterpolateInputs") ? fmi2_input_derivative_order : 0,
          .max_output_derivative_order = order_of(element, "maxOutputDerivativeOrder"),
          .runs_asynchronously = flag(element, "canRunAsynchronuously"),  // spelt so
          .needs_completed_integrator_step = !flag(element, "completedIntegratorStepNotNeeded")};
}

Interface read_fmi3_interface(pugi::xml_node element) {
  const std::optional<double> internal_step = number_of(element, "fixedInternalStepSize");
  if (internal_step && !(std::isfinite(*internal_step) && *internal_step > 0))
    refuse(element, "its fixedInternalStepSize is not above 0");
  return {.model_identifier = model_identifier(element),
          .needs_execution_tool = flag(element, "needsExecutionTool"),
          .only_one_instance_per_process = flag(element, "canBeInstantiatedOnlyOncePerProcess"),
          .can_get_and_set_state = flag(element, "canGetAndSetFMUState"),
          .can_serialize_state = flag(element, "canSerializeFMUState"),
          .provides_directional_derivatives = flag(element, "providesDirectionalDerivatives"),
          .can_handle_variable_step = flag(element, "canHandleVariableCommunicationStepSize"),
          .max_output_derivative_order = order_of(element, "maxOutputDerivativeOrder"),
          .fixed_internal_step_s = internal_step,
          .provides_intermediate_update = flag(element, "providesIntermediateUpdate"),
          .may_return_early = flag(element, "mightReturnEarlyFromDoStep"),
          .has_event_mode = flag(element, "hasEventMode"),
          .needs_completed_integrator_step = flag(element, "needsCompletedIntegratorStep")};
}

void read_interfaces(pugi::xml_node root, ModelDescription& model) {
  const auto read = [&](const char* name) -> std::optional<Interface> {
    const pugi::xml_node element = root.child(name);
    if (!element) return std::nullopt;
    if (element.next_sibling(name)) refuse(element, "is given twice");
    return model.version == Version::fmi2 ? read_fmi2_interface(element)
                                          : read_fmi3_interface(element);
  };
  model.co_simulation = read("CoSimulation");
  model.model_exchange = read("ModelExchange");
  model.scheduled_execution =
      model.version == Version::fmi3 && !root.child("ScheduledExecution").empty();
  if (!model.co_simulation && !model.model_exchange && !model.scheduled_execution)
    throw FmuRefused("modelDescription.xml offers neither co-simulation nor model exchange");
}

void read_version(pugi::xml_node root, ModelDescription& model) {
  model.version_text = name_of(root, "fmiVersion");
  const std::string_view text = model.version_text;
  const auto is = [text](std::string_view version) {
    return text == version || (text.starts_with(version) && text[version.size()] == '.');
  };
  if (is("2.0"))
    model.version = Version::fmi2;
  else if (is("3.0"))
    model.version = Version::fmi3;
  else
    refuse(root, "FMI " + shown(text) + " is unknown: FMI 2.0 and 3.0 are supported");
}

void read_experiment(pugi::xml_node root, ModelDescription& model) {
  const pugi::xml_node element = root.child("DefaultExperiment");
  model.experiment = {.start_s = finite_number_of(element, "startTime"),
                      .stop_s = finite_number_of(element, "stopTime"),
                      .tolerance = finite_number_of(element, "tolerance"),
                      .step_size_s = finite_number_of(element, "stepSize")};
}

void read_log_categories(pugi::xml_node root, ModelDescription& model) {
  for (const pugi::xml_node element : root.child("LogCategories").children("Category")) {
    if (model.log_categories.size() == max_log_categories)
      throw FmuRefused("modelDescription.xml has more than " + std::to_string(max_log_categories) +
                       " log categories");
    model.log_categories.push_back(name_of(element, "name"));
  }
}

void note_undeclared_units(ModelDescription& model) {
  std::set<std::string_view> known;
  for (const DeclaredUnit& unit : model.units) known.insert(unit.name);
  for (const Variable& variable : model.variables)
    if (!variable.unit.empty() && known.insert(variable.unit).second)
      note(model,
           "unit " + shown(variable.unit) + " of " + shown(variable.name) + " has no definition");
}

}  // namespace

ModelDescription read_model_description(std::string_view xml) {
  ModelDescription model;
  const pugi::xml_document document = parse_xml(xml, "modelDescription.xml", model.notes);
  const pugi::xml_node root = document.child("fmiModelDescription");
  if (!root) throw FmuRefused("modelDescription.xml has no fmiModelDescription");
  read_version(root, model);
  model.model_name = text_of(root, "modelName").value_or("");
  if (model.model_name.empty()) refuse(root, "has no modelName");
  model.description = text_of(root, "description").value_or("");
  model.generation_tool = text_of(root, "generationTool").value_or("");
  const char* token = model.version == Version::fmi2 ? "guid" : "instantiationToken";
  if (!root.attribute(token)) refuse(root, std::string("has no ") + token);
  model.token = root.attribute(token).value();
  read_interfaces(root, model);
  read_experiment(root, model);
  read_log_categories(root, model);
  model.units = read_units(root);
  const TypeDefinitions types = read_types(root, model.version);
  const VariableIndex index = read_variables(root, types, model);
  read_structure(root, index, model);
  note_undeclared_units(model);
  return model;
}

}  // namespace macrostep::models::fmi
