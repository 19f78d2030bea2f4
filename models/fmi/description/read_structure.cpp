#include "models/fmi/description/read_structure.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {
namespace {

constexpr std::size_t max_dependencies = 10'000'000;

class Reading {
 public:
  Reading(const VariableIndex& index, ModelDescription& model) : index_(index), model_(model) {}

  void run(pugi::xml_node root) {
    const pugi::xml_node structure = root.child("ModelStructure");
    if (!structure) throw FmuRefused("modelDescription.xml has no ModelStructure");
    if (model_.version == Version::fmi2) {
      model_.outputs = unknowns(structure.child("Outputs"), "Unknown");
      model_.derivatives = unknowns(structure.child("Derivatives"), "Unknown");
      model_.event_indicators = count_of(root, "numberOfEventIndicators").value_or(0);
      if (model_.event_indicators > max_variables)
        refuse(root, "has more than " + std::to_string(max_variables) + " event indicators");
    } else {
      model_.outputs = unknowns(structure, "Output");
      model_.derivatives = unknowns(structure, "ContinuousStateDerivative");
      const auto indicators = structure.children("EventIndicator");
      model_.event_indicators =
          static_cast<std::size_t>(std::distance(indicators.begin(), indicators.end()));
    }
    for (const Unknown& unknown : model_.derivatives) check_derivative(unknown);
    complete_outputs();
  }

 private:
  std::vector<Unknown> unknowns(pugi::xml_node list, const char* name) {
    std::vector<Unknown> found;
    std::vector<bool> seen(model_.variables.size());
    for (const pugi::xml_node element : list.children(name)) {
      const Unknown unknown = read_unknown(element);
      if (seen[unknown.variable]) refuse(element, "is listed twice");
      seen[unknown.variable] = true;
      found.push_back(unknown);
    }
    return found;
  }

  Unknown read_unknown(pugi::xml_node element) {
    const char* attribute = model_.version == Version::fmi2 ? "index" : "valueReference";
    const std::optional<std::uint64_t> number = count_of(element, attribute);
    if (!number) refuse(element, std::string("has no ") + attribute);
    Unknown unknown{.variable = variable(element, *number)};
    if (!element.attribute("dependencies")) return unknown;
    unknown.dependencies.emplace();
    for (const std::uint64_t dependency : counts_of(element, "dependencies"))
      unknown.dependencies->push_back(variable(element, dependency));
    dependencies_ += unknown.dependencies->size();
    if (dependencies_ > max_dependencies)
      throw FmuRefused("modelDescription.xml lists more than " + std::to_string(max_dependencies) +
                       " dependencies");
    return unknown;
  }

  std::size_t variable(pugi::xml_node element, std::uint64_t number) const {
    if (model_.version == Version::fmi2) {
      if (number >= 1 && number <= index_.of_element.size()) return index_.of_element[number - 1];
    } else if (number <= std::numeric_limits<std::uint32_t>::max()) {
      const auto found = index_.of_reference.find(static_cast<std::uint32_t>(number));
      if (found != index_.of_reference.end()) return found->second;
    }
    refuse(element, "refers to " + std::to_string(number) + ", which is no variable");
  }

  // A master for model exchange has to know which state a derivative belongs to.
  void check_derivative(const Unknown& unknown) {
    const Variable& variable = model_.variables[unknown.variable];
    if (variable.derivative_of) return;
    const std::string why =
        shown(variable.name) + " is listed as a derivative of a state but does not say of which";
    if (model_.model_exchange) throw FmuRefused(why);
    note(model_, why);
  }

  // Every output belongs in the list; a missing one may depend on everything.
  void complete_outputs() {
    std::vector<bool> listed(model_.variables.size());
    for (const Unknown& unknown : model_.outputs) listed[unknown.variable] = true;
    for (std::size_t i = 0; i < model_.variables.size(); ++i) {
      if (model_.variables[i].causality != Causality::output || listed[i]) continue;
      model_.outputs.push_back({.variable = i});
      note(model_, "output " + shown(model_.variables[i].name) +
                       " is missing in the model structure: taken to depend on every input");
    }
  }

  const VariableIndex& index_;
  ModelDescription& model_;
  std::size_t dependencies_ = 0;
};

}  // namespace

void read_structure(pugi::xml_node root, const VariableIndex& index, ModelDescription& model) {
  Reading(index, model).run(root);
}

}  // namespace macrostep::models::fmi
