#include "server/json/vocabulary.hpp"

#include "server/json/choices.hpp"

namespace macrostep::server::json {

Vocabulary vocabulary_of(const engine::Problem& problem,
                         std::span<const engine::ParameterInfo> parameters) {
  Vocabulary words;
  words.known = true;
  for (const auto& coupling : problem.couplings) {
    words.couplings.push_back(coupling.name);
  }
  for (const auto& parameter : parameters) {
    words.parameters.push_back(parameter.path);
  }
  words.subsystems_and_groups = problem.groups();
  for (const auto& subsystem : problem.subsystems()) {
    words.integrators[subsystem.group] = names_of(subsystem.integrators);
    if (subsystem.name == subsystem.group) {
      continue;
    }
    words.subsystems_and_groups.push_back(subsystem.name);
    for (const auto& parameter : parameters) {
      const std::string prefix = subsystem.group + ".";
      if (parameter.path.starts_with(prefix)) {
        words.parameters.push_back(subsystem.name + "." + parameter.path.substr(prefix.size()));
      }
    }
  }
  for (const auto& input : problem.external_inputs) {
    words.external_inputs.push_back(input.to.text());
  }
  return words;
}

}  // namespace macrostep::server::json
