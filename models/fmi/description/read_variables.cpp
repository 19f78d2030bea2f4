#include "models/fmi/description/read_variables.hpp"

#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include "models/fmi/description/variable_words.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {
namespace {

template <class Value, std::size_t count>
std::optional<Value> word_of(pugi::xml_node element, const char* attribute,
                             const Words<Value, count>& words) {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (!found) return std::nullopt;
  if (const auto value = named(found.value(), words)) return value;
  refuse(element, std::string(attribute) + "=\"" + shown(found.value()) + "\" is unknown");
}

bool is_parameter(Causality causality) {
  return causality == Causality::parameter || causality == Causality::calculated_parameter ||
         causality == Causality::structural_parameter;
}

// Where none is written: continuous for numbers with a fraction, discrete for the others, fixed for
// parameters. The first two are the standard's; FMI 2 has no word for the third.
Variability default_variability(const Variable& variable) {
  if (is_parameter(variable.causality)) return Variability::fixed;
  return is_float(variable.type) ? Variability::continuous : Variability::discrete;
}

std::uint32_t reference_of(pugi::xml_node element) {
  const std::optional<std::uint64_t> value = count_of(element, "valueReference");
  if (!value) refuse(element, "has no valueReference");
  if (*value > std::numeric_limits<std::uint32_t>::max())
    refuse(element, "its valueReference is wider than 32 bits");
  return static_cast<std::uint32_t>(*value);
}

std::optional<double> start_number(pugi::xml_node element, VariableType type) {
  if (type == VariableType::boolean) {
    const std::optional<bool> value = boolean_of(element, "start");
    return value ? std::optional<double>(*value ? 1 : 0) : std::nullopt;
  }
  const std::optional<double> value = number_of(element, "start");
  if (value && !is_float(type) && *value != std::floor(*value))
    refuse(element, "its start is not a whole number");
  return value;
}

void take_type(pugi::xml_node element, const TypeDefinitions& types, Variable& variable) {
  const pugi::xml_attribute declared = element.attribute("declaredType");
  if (!declared) return;
  const auto found = types.find(std::string_view(declared.value()));
  if (found == types.end())
    refuse(element, "its type \"" + shown(declared.value()) + "\" is not defined");
  if (found->second.type != variable.type)
    refuse(element, "its type \"" + shown(declared.value()) + "\" is of another kind");
  variable.unit = found->second.unit;
  variable.nominal = found->second.nominal;
  variable.minimum = found->second.minimum;
  variable.maximum = found->second.maximum;
}

// `element` names the variable, `typed` has the attributes of its type: the same in FMI 3.
Variable read_variable(pugi::xml_node element, pugi::xml_node typed, VariableType type,
                       const TypeDefinitions& types) {
  Variable variable;
  variable.name = name_of(element, "name");
  variable.description = text_of(element, "description").value_or("");
  variable.reference = reference_of(element);
  variable.type = type;
  variable.causality = word_of(element, "causality", causalities).value_or(Causality::local);
  variable.variability =
      word_of(element, "variability", variabilities).value_or(default_variability(variable));
  variable.initial = word_of(element, "initial", initials);
  variable.array = !element.child("Dimension").empty();
  variable.intermediate_update = boolean_of(typed, "intermediateUpdate").value_or(false);
  take_type(typed, types, variable);
  if (auto unit = text_of(typed, "unit")) variable.unit = std::move(*unit);
  if (type == VariableType::string || type == VariableType::binary || type == VariableType::clock ||
      variable.array)
    return variable;
  variable.start = start_number(typed, type);
  if (const auto value = finite_number_of(typed, "nominal")) variable.nominal = value;
  if (const auto value = finite_number_of(typed, "min")) variable.minimum = value;
  if (const auto value = finite_number_of(typed, "max")) variable.maximum = value;
  return variable;
}

// A start that no number can be compared with is none; the FMU has its own.
void check_start(Variable& variable, ModelDescription& model) {
  if (!variable.start || std::isfinite(*variable.start)) return;
  note(model, "the start value of " + shown(variable.name) + " is not finite: left to the FMU");
  variable.start.reset();
}

class Reading {
 public:
  Reading(const TypeDefinitions& types, ModelDescription& model) : types_(types), model_(model) {}

  VariableIndex run(pugi::xml_node root) {
    const pugi::xml_node list = root.child("ModelVariables");
    if (!list) throw FmuRefused("modelDescription.xml has no ModelVariables");
    for (const pugi::xml_node element : list.children()) {
      if (element.type() != pugi::node_element) continue;
      if (model_.version == Version::fmi2)
        fmi2(element);
      else
        fmi3(element);
    }
    for (const auto& [element, variable] : derivatives_) link_derivative(element, variable);
    return std::move(index_);
  }

 private:
  void add(pugi::xml_node element, Variable variable) {
    if (model_.variables.size() >= max_variables)
      throw FmuRefused("modelDescription.xml has more than " + std::to_string(max_variables) +
                       " variables");
    if (!names_.insert(variable.name).second) refuse(element, "its name is given twice");
    check_start(variable, model_);
    model_.variables.push_back(std::move(variable));
  }

  void fmi2(pugi::xml_node element) {
    if (std::string_view(element.name()) != "ScalarVariable")
      refuse(element, "is not a variable of FMI 2.0");
    pugi::xml_node typed;
    std::optional<VariableType> type;
    for (const pugi::xml_node child : element.children())
      if (!type && (type = type_named(child.name(), Version::fmi2))) typed = child;
    if (!type) refuse(element, "has no type");
    Variable variable = read_variable(element, typed, *type, types_);
    if (*type == VariableType::string) variable.start_text = text_of(typed, "start");
    index_.of_element.push_back(model_.variables.size());
    if (typed.attribute("derivative")) derivatives_.emplace_back(typed, model_.variables.size());
    add(element, std::move(variable));
  }

  void fmi3(pugi::xml_node element) {
    const std::optional<VariableType> type = type_named(element.name(), Version::fmi3);
    if (!type) refuse(element, "is not a variable of FMI 3.0");
    Variable variable = read_variable(element, element, *type, types_);
    if (*type == VariableType::string && !variable.array)
      variable.start_text = text_of(element.child("Start"), "value");
    if (!index_.of_reference.emplace(variable.reference, model_.variables.size()).second)
      refuse(element, "its valueReference is given twice");
    if (element.attribute("derivative"))
      derivatives_.emplace_back(element, model_.variables.size());
    const Variable first = variable;
    add(element, std::move(variable));
    for (const pugi::xml_node alias : element.children("Alias")) add(alias, alias_of(first, alias));
  }

  // Another name of the same value: to be looked at, not to be set or connected.
  static Variable alias_of(const Variable& first, pugi::xml_node element) {
    Variable alias = first;
    alias.name = name_of(element, "name");
    alias.description = text_of(element, "description").value_or("");
    alias.causality = Causality::local;
    alias.start.reset();
    alias.start_text.reset();
    return alias;
  }

  void link_derivative(pugi::xml_node element, std::size_t variable) {
    const std::optional<std::uint64_t> target = count_of(element, "derivative");
    const std::vector<std::size_t>& elements = index_.of_element;
    if (model_.version == Version::fmi2) {
      if (!target || *target < 1 || *target > elements.size()) refuse_derivative(element, variable);
      model_.variables[variable].derivative_of = elements[*target - 1];
      return;
    }
    if (!target || *target > std::numeric_limits<std::uint32_t>::max())
      refuse_derivative(element, variable);
    const auto found = index_.of_reference.find(static_cast<std::uint32_t>(*target));
    if (found == index_.of_reference.end()) refuse_derivative(element, variable);
    model_.variables[variable].derivative_of = found->second;
  }

  [[noreturn]] void refuse_derivative(pugi::xml_node element, std::size_t variable) const {
    refuse(element, "derivative of " + shown(model_.variables[variable].name) +
                        " names no variable: " + shown(element.attribute("derivative").value()));
  }

  const TypeDefinitions& types_;
  ModelDescription& model_;
  VariableIndex index_;
  std::unordered_set<std::string> names_;
  std::vector<std::pair<pugi::xml_node, std::size_t>> derivatives_;
};

}  // namespace

VariableIndex read_variables(pugi::xml_node root, const TypeDefinitions& types,
                             ModelDescription& model) {
  return Reading(types, model).run(root);
}

}  // namespace macrostep::models::fmi
