#include "models/fmi/description/model_description.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace macrostep::models::fmi {

namespace {

constexpr std::size_t max_notes = 20;

}  // namespace

void note(ModelDescription& model, std::string text) {
  if (model.notes.size() < max_notes)
    model.notes.push_back(std::move(text));
  else if (model.notes.size() == max_notes)
    model.notes.push_back("…and more of this kind");
}

bool is_float(VariableType type) {
  return type == VariableType::float32 || type == VariableType::float64;
}

std::optional<std::size_t> ModelDescription::index_of(std::string_view variable) const {
  const auto found = std::ranges::find(variables, variable, &Variable::name);
  if (found == variables.end()) return std::nullopt;
  return static_cast<std::size_t>(found - variables.begin());
}

const Variable* ModelDescription::find(std::string_view variable) const {
  const std::optional<std::size_t> index = index_of(variable);
  return index ? &variables[*index] : nullptr;
}

bool has_clocks(const ModelDescription& model) {
  return std::ranges::find(model.variables, VariableType::clock, &Variable::type) !=
         model.variables.end();
}

std::string_view to_string(VariableType type) {
  constexpr std::array<std::string_view, 15> names{
      "float32", "float64", "int8",    "uint8",  "int16",       "uint16", "int32", "uint32",
      "int64",   "uint64",  "boolean", "string", "enumeration", "binary", "clock"};
  return names.at(static_cast<std::size_t>(type));
}

std::string_view to_string(Causality causality) {
  constexpr std::array<std::string_view, 7> names{
      "parameter", "calculated_parameter", "structural_parameter", "input", "output",
      "local",     "independent"};
  return names.at(static_cast<std::size_t>(causality));
}

std::string_view to_string(Variability variability) {
  constexpr std::array<std::string_view, 5> names{"constant", "fixed", "tunable", "discrete",
                                                  "continuous"};
  return names.at(static_cast<std::size_t>(variability));
}

}  // namespace macrostep::models::fmi
