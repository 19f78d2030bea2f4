#include "engine/problem/problem.hpp"

#include <algorithm>

namespace macrostep::engine {

std::optional<models::Unit> Coupling::unit_of(const PortName& output) const {
  for (const auto& subsystem : subsystems) {
    for (const auto& port : subsystem.description.outputs) {
      if (subsystem.name == output.subsystem && port.name == output.port && !port.unit.empty()) {
        return models::unit_from(port.unit);
      }
    }
  }
  return std::nullopt;
}

std::vector<SubsystemDefinition> Problem::subsystems() const {
  std::vector<SubsystemDefinition> all;
  for (const auto& coupling : couplings) {
    for (const auto& subsystem : coupling.subsystems) {
      if (std::ranges::find(all, subsystem.name, &SubsystemDefinition::name) == all.end()) {
        all.push_back(subsystem);
      }
    }
  }
  return all;
}

const SubsystemDefinition* Problem::find_subsystem(const std::string& subsystem) const {
  for (const auto& coupling : couplings) {
    const auto found =
        std::ranges::find(coupling.subsystems, subsystem, &SubsystemDefinition::name);
    if (found != coupling.subsystems.end()) {
      return &*found;
    }
  }
  return nullptr;
}

const Coupling* Problem::find_coupling(const std::string& coupling) const {
  const auto found = std::ranges::find(couplings, coupling, &Coupling::name);
  return found == couplings.end() ? nullptr : &*found;
}

std::vector<std::string> Problem::groups() const {
  std::vector<std::string> names;
  for (const auto& subsystem : subsystems()) {
    if (std::ranges::find(names, subsystem.group) == names.end()) {
      names.push_back(subsystem.group);
    }
  }
  return names;
}

std::vector<std::string> output_names(const Coupling& coupling) {
  std::vector<std::string> names;
  for (const auto& subsystem : coupling.subsystems) {
    for (const auto& port : subsystem.description.outputs) {
      names.push_back(subsystem.name + "." + port.name);
    }
  }
  return names;
}

std::string output_list(const Coupling& coupling, std::span<const std::size_t> outputs) {
  const auto names = output_names(coupling);
  std::string list;
  for (const std::size_t output : outputs) {
    list += (list.empty() ? "" : ", ") + names[output];
  }
  return list;
}

}  // namespace macrostep::engine
