#include "engine/problem.hpp"

#include <algorithm>

namespace macrostep::engine {

const SubsystemDefinition* Problem::find_subsystem(const std::string& subsystem) const {
  const auto found = std::ranges::find(subsystems(), subsystem, &SubsystemDefinition::name);
  return found == subsystems().end() ? nullptr : &*found;
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

}  // namespace macrostep::engine
