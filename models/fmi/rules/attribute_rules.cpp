#include "models/fmi/rules/attribute_rules.hpp"

#include <algorithm>

#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::rules {

namespace {

enum class Form { text, boolean, number, whole };

struct Known {
  std::string_view name;
  Form form = Form::text;
};

using enum Form;
using Attributes = std::vector<Known>;

const Attributes fmi2_root{{"fmiVersion"},
                           {"modelName"},
                           {"guid"},
                           {"description"},
                           {"author"},
                           {"version"},
                           {"copyright"},
                           {"license"},
                           {"generationTool"},
                           {"generationDateAndTime"},
                           {"variableNamingConvention"},
                           {"numberOfEventIndicators"}};
const Attributes fmi3_root{{"fmiVersion"},
                           {"modelName"},
                           {"instantiationToken"},
                           {"description"},
                           {"author"},
                           {"version"},
                           {"copyright"},
                           {"license"},
                           {"generationTool"},
                           {"generationDateAndTime"},
                           {"variableNamingConvention"}};
const Attributes fmi2_exchange{{"modelIdentifier"},
                               {"needsExecutionTool", boolean},
                               {"completedIntegratorStepNotNeeded", boolean},
                               {"canBeInstantiatedOnlyOncePerProcess", boolean},
                               {"canNotUseMemoryManagementFunctions", boolean},
                               {"canGetAndSetFMUstate", boolean},
                               {"canSerializeFMUstate", boolean},
                               {"providesDirectionalDerivative", boolean}};
const Attributes fmi2_simulation{{"modelIdentifier"},
                                 {"needsExecutionTool", boolean},
                                 {"canHandleVariableCommunicationStepSize", boolean},
                                 {"canInterpolateInputs", boolean},
                                 {"maxOutputDerivativeOrder", whole},
                                 {"canRunAsynchronuously", boolean},
                                 {"canBeInstantiatedOnlyOncePerProcess", boolean},
                                 {"canNotUseMemoryManagementFunctions", boolean},
                                 {"canGetAndSetFMUstate", boolean},
                                 {"canSerializeFMUstate", boolean},
                                 {"providesDirectionalDerivative", boolean}};
const Attributes fmi3_exchange{{"modelIdentifier"},
                               {"needsExecutionTool", boolean},
                               {"canBeInstantiatedOnlyOncePerProcess", boolean},
                               {"canGetAndSetFMUState", boolean},
                               {"canSerializeFMUState", boolean},
                               {"providesDirectionalDerivatives", boolean},
                               {"providesAdjointDerivatives", boolean},
                               {"providesPerElementDependencies", boolean},
                               {"needsCompletedIntegratorStep", boolean},
                               {"providesEvaluateDiscreteStates", boolean}};
const Attributes fmi3_simulation{{"modelIdentifier"},
                                 {"needsExecutionTool", boolean},
                                 {"canBeInstantiatedOnlyOncePerProcess", boolean},
                                 {"canGetAndSetFMUState", boolean},
                                 {"canSerializeFMUState", boolean},
                                 {"providesDirectionalDerivatives", boolean},
                                 {"providesAdjointDerivatives", boolean},
                                 {"providesPerElementDependencies", boolean},
                                 {"canHandleVariableCommunicationStepSize", boolean},
                                 {"fixedInternalStepSize", number},
                                 {"recommendedIntermediateInputSmoothness", Form::number},
                                 {"maxOutputDerivativeOrder", whole},
                                 {"providesIntermediateUpdate", boolean},
                                 {"mightReturnEarlyFromDoStep", boolean},
                                 {"canReturnEarlyAfterIntermediateUpdate", boolean},
                                 {"hasEventMode", boolean},
                                 {"providesEvaluateDiscreteStates", boolean}};
const Attributes experiment{
    {"startTime", number}, {"stopTime", number}, {"tolerance", number}, {"stepSize", number}};
const Attributes fmi2_variable{{"name"},
                               {"valueReference"},
                               {"description"},
                               {"causality"},
                               {"variability"},
                               {"initial"},
                               {"canHandleMultipleSetPerTimeInstant", boolean}};
/// Attributes of all types together, as the form of a start is looked at elsewhere.
const Attributes fmi2_typed{{"declaredType"},
                            {"quantity"},
                            {"unit"},
                            {"displayUnit"},
                            {"relativeQuantity", boolean},
                            {"min"},
                            {"max"},
                            {"nominal", number},
                            {"unbounded", boolean},
                            {"start"},
                            {"derivative"},
                            {"reinit", boolean}};
const Attributes fmi3_variable{{"name"},
                               {"valueReference"},
                               {"description"},
                               {"causality"},
                               {"variability"},
                               {"initial"},
                               {"canHandleMultipleSetPerTimeInstant", boolean},
                               {"intermediateUpdate", boolean},
                               {"previous"},
                               {"clocks"},
                               {"declaredType"},
                               {"quantity"},
                               {"unit"},
                               {"displayUnit"},
                               {"relativeQuantity", boolean},
                               {"min"},
                               {"max"},
                               {"nominal", number},
                               {"unbounded", boolean},
                               {"start"},
                               {"derivative"},
                               {"reinit", boolean},
                               {"mimeType"},
                               {"maxSize"},
                               {"canBeDeactivated", boolean},
                               {"priority"},
                               {"intervalVariability"},
                               {"intervalDecimal"},
                               {"shiftDecimal"},
                               {"supportsFraction", boolean},
                               {"resolution"},
                               {"intervalCounter"},
                               {"shiftCounter"}};

bool has_form(std::string_view raw_text, Form form) {
  const auto text = trimmed(raw_text);
  switch (form) {
    case Form::boolean:
      return text == "true" || text == "false" || text == "1" || text == "0";
    case Form::number:
      return number_from(text).has_value();
    case Form::whole:
      return whole_from(text).has_value();
    case Form::text:
      break;
  }
  return true;
}

const char* words_of_form(Form form) {
  return form == Form::boolean ? "true or false" : form == Form::number ? "number" : "whole number";
}

void check_element(pugi::xml_node element, const Attributes& known, const std::string& where,
                   Version version, Report& report) {
  for (const auto attribute : element.attributes()) {
    const std::string_view name = attribute.name();
    if (name.starts_with("xmlns") || name.find(':') != name.npos) {
      continue;
    }
    const auto found = std::ranges::find(known, name, &Known::name);
    if (found == known.end()) {
      report.warning(where,
                     std::string("FMI ") + (version == Version::fmi2 ? "2.0" : "3.0") +
                         " knows no attribute " + shown(name) + " here: it says nothing",
                     "attribute");
    } else if (!has_form(attribute.value(), found->form)) {
      report.error(where,
                   std::string(name) + "=\"" + shown(std::string_view(attribute.value())) +
                       "\" is no " + words_of_form(found->form),
                   "form");
    }
  }
}

}  // namespace

void check_attributes(const RawDescription& raw, Report& report) {
  const bool two = raw.is_fmi2();
  const auto check = [&](pugi::xml_node element, const Attributes& known) {
    check_element(element, known, shown(element), raw.version, report);
  };
  check(raw.root, two ? fmi2_root : fmi3_root);
  check(raw.root.child("ModelExchange"), two ? fmi2_exchange : fmi3_exchange);
  check(raw.root.child("CoSimulation"), two ? fmi2_simulation : fmi3_simulation);
  check(raw.root.child("DefaultExperiment"), experiment);
  for (const auto& variable : raw.variables) {
    const auto where = where_of(variable);
    check_element(variable.element, two ? fmi2_variable : fmi3_variable, where, raw.version,
                  report);
    if (two && variable.typed != variable.element) {
      check_element(variable.typed, fmi2_typed, where, raw.version, report);
    }
  }
}

}  // namespace macrostep::models::fmi::rules
