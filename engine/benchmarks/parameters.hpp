// Parameters of built-in problems: the tables of the models under "owner.symbol" paths.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/base/field_error.hpp"
#include "engine/benchmarks/benchmark.hpp"
#include "models/subsystem/parameter.hpp"

namespace macrostep::engine {

/// Values of a job by path.
using ParameterValues = std::map<std::string, double>;

/// Adds the parameters of one owner, a subsystem, a group or a coupling, to a problem's list.
template <class Parameters>
void list_parameters(std::vector<ParameterInfo>& infos, const std::string& owner,
                     std::span<const models::Parameter<Parameters>> table,
                     const Parameters& defaults = {}) {
  for (const auto& parameter : table) {
    infos.push_back({.path = owner + "." + std::string(parameter.name),
                     .unit = std::string(parameter.unit),
                     .default_value = defaults.*(parameter.member),
                     .minimum = parameter.minimum,
                     .maximum = parameter.maximum,
                     .description = std::string(parameter.description)});
  }
}

/// Sets the members of `parameters` that `values` names as "owner.symbol".
template <class Parameters>
void apply(Parameters& parameters, std::span<const models::Parameter<Parameters>> table,
           const std::string& owner, const ParameterValues& values) {
  for (const auto& parameter : table) {
    const auto found = values.find(owner + "." + std::string(parameter.name));
    if (found != values.end()) {
      parameters.*(parameter.member) = found->second;
    }
  }
}

/// Adds errors of a model under the paths the user set: of the single subsystem if that was named,
/// else of its group.
inline void report(FieldErrors& errors, const std::vector<models::ParameterError>& found,
                   const std::string& subsystem, const std::string& group,
                   const ParameterValues& values) {
  for (const auto& error : found) {
    const std::string own = subsystem + "." + error.name;
    const std::string path = values.contains(own) ? own : group + "." + error.name;
    const FieldError field{"/parameters/" + pointer_token(path), error.message};
    const bool known = std::ranges::any_of(errors, [&](const FieldError& other) {
      return other.pointer == field.pointer && other.message == field.message;
    });
    if (!known) {
      errors.push_back(field);
    }
  }
}

/// Paths that are none of `infos`, nor one of them with a member in the place of its group.
inline FieldErrors unknown_paths(const ParameterValues& values,
                                 const std::vector<ParameterInfo>& infos,
                                 const std::map<std::string, std::string>& group_of = {}) {
  FieldErrors errors;
  for (const auto& [path, value] : values) {
    auto known_path = path;
    const auto dot = path.find('.');
    if (const auto group = group_of.find(path.substr(0, dot));
        dot != std::string::npos && group != group_of.end()) {
      known_path = group->second + path.substr(dot);
    }
    if (std::ranges::find(infos, known_path, &ParameterInfo::path) == infos.end()) {
      errors.push_back(
          {"/parameters/" + pointer_token(path), "there is no parameter '" + path + "'"});
    }
  }
  return errors;
}

/// A sequence of a model as a vector.
template <class Item>
std::vector<Item> list(std::span<const Item> items) {
  return {items.begin(), items.end()};
}

}  // namespace macrostep::engine
