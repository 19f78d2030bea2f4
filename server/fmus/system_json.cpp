#include "server/fmus/system_json.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "engine/base/text.hpp"
#include "engine/bonds/bond_proposal.hpp"
#include "engine/problem/fmu_notices.hpp"
#include "engine/problem/own_problem.hpp"
#include "models/fmi/systems/system_structure.hpp"
#include "server/jobs/own_problem_json.hpp"
#include "server/json/reader.hpp"

namespace macrostep::server::json {

namespace {

using models::fmi::SystemPort;
using models::fmi::SystemStructure;
using Json = nlohmann::ordered_json;

std::string text(const SystemPort& port) {
  return port.component + "." + port.variable;
}

Json subsystems_json(const SystemStructure& system) {
  Json list = Json::array();
  for (const auto& component : system.components) {
    Json subsystem = {{"name", component.name}, {"fmu", component.source}};
    for (const auto& [name, value] : component.parameters) {
      Json& parameter = subsystem["parameters"][name];
      std::visit([&](const auto& plain) { parameter = plain; }, value);
    }
    list.push_back(std::move(subsystem));
  }
  return list;
}

/// Two connections of one name: effort and flow.
Json named_bonds(const SystemStructure& system, std::vector<std::string>& notes) {
  std::map<std::string, std::vector<SystemPort>> bonds;
  for (const auto& connection : system.connections) {
    if (!connection.power_bond.empty()) {
      bonds[connection.power_bond].push_back(connection.from);
    }
  }
  Json list = Json::array();
  for (const auto& [name, ends] : bonds) {
    if (ends.size() == 2) {
      list.push_back({{"effort", text(ends[0])}, {"flow", text(ends[1])}});
    } else {
      notes.push_back("power bond '" + name + "' has " + std::to_string(ends.size()) +
                      " connections instead of two and is left out");
    }
  }
  return list;
}

/// Null where it is not known.
engine::FmuPointer fmu_of(const models::fmi::SystemComponent& component,
                          const engine::FmuSource& fmus) {
  if (!fmus) {
    return nullptr;
  }
  auto found = fmus(component.source);
  auto* fmu = std::get_if<engine::FmuPointer>(&found);
  return fmu ? std::move(*fmu) : nullptr;
}

Json external_input(const SystemPort& to, const models::fmi::Variable* variable) {
  Json external = {{"to", text(to)}};
  if (variable) {
    external["initial"] = variable->start.value_or(0);
    if (variable->minimum && variable->maximum) {
      external["minimum"] = *variable->minimum;
      external["maximum"] = *variable->maximum;
    }
  }
  return external;
}

Json external_inputs(const SystemStructure& system, const engine::FmuSource& fmus) {
  Json list = Json::array();
  for (const auto& input : system.inputs) {
    const auto component = std::ranges::find(system.components, input.to.component,
                                             &models::fmi::SystemComponent::name);
    const auto fmu =
        component != system.components.end() ? fmu_of(*component, fmus) : engine::FmuPointer();
    list.push_back(
        external_input(input.to, fmu ? fmu->description.find(input.to.variable) : nullptr));
  }
  return list;
}

/// Values that a system gives to inputs at the start are no parameters: those of inputs without a
/// connection become external inputs, which begin with them.
Json take_initial_inputs(SystemStructure& system, const engine::FmuSource& fmus,
                         std::vector<std::string>& notes) {
  Json list = Json::array();
  for (auto& component : system.components) {
    const auto fmu = component.parameters.empty() ? engine::FmuPointer() : fmu_of(component, fmus);
    std::erase_if(component.parameters, [&](const auto& given) {
      const auto& [name, value] = given;
      const auto* variable = fmu ? fmu->description.find(name) : nullptr;
      if (!variable || variable->causality != models::fmi::Causality::input) {
        return false;
      }
      const SystemPort port{component.name, name};
      const bool is_connected =
          std::ranges::find(system.connections, port, &models::fmi::SystemConnection::to) !=
          system.connections.end();
      const auto* number = std::get_if<double>(&value);
      if (is_connected || !number) {
        notes.push_back("the initial value of input " + text(port) +
                        " is left out: " + (is_connected ? "it is connected" : "it is no number"));
      } else {
        list.push_back(external_input(port, variable));
        list.back()["initial"] = *number;
      }
      return true;
    });
  }
  return list;
}

Json proposals_json(const std::vector<engine::BondProposal>& proposals,
                    std::vector<std::string>& notes) {
  Json list = Json::array();
  for (const auto& [bond, certain] : proposals) {
    Json json = {{"effort", bond.effort.front().text()}, {"flow", bond.flow.front().text()}};
    if (bond.factor) {
      json["factor"] = *bond.factor;
    }
    notes.push_back("power bond " + bond.effort.front().text() + " × " + bond.flow.front().text() +
                    (bond.factor ? " (factor " + engine::number_text(*bond.factor) + ")" : "") +
                    (certain ? ": the only one that their units allow"
                             : ": chosen by the names of the ports, please check"));
    list.push_back(std::move(json));
  }
  if (proposals.empty()) {
    notes.push_back(
        "no power bond can be proposed: no two connections in opposite directions have "
        "units that multiply to power");
  }
  return list;
}

/// Overwrites members of the elements of `list` with those of the element of `settings` that goes
/// to the same port (and comes from the same one, if it names any).
void merge_by_ports(Json& list, const nlohmann::json& settings) {
  const auto same = [](const Json& one, const nlohmann::json& other) {
    return other.is_object() && std::ranges::all_of(std::array{"from", "to"}, [&](const char* end) {
             return other.value(end, nlohmann::json()) == one.value(end, nlohmann::json());
           });
  };
  for (auto& element : list) {
    const auto found = std::ranges::find_if(
        settings, [&](const nlohmann::json& other) { return same(element, other); });
    if (found != settings.end()) {
      element.update(*found);
    }
  }
}

/// Null where there is none.
nlohmann::json member(const nlohmann::json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() ? nlohmann::json() : *found;
}

void take_over(const nlohmann::json& settings, Json& job, std::vector<std::string>& notes) {
  const auto problem = member(settings, "problem");
  merge_by_ports(job["problem"]["connections"], member(problem, "connections"));
  merge_by_ports(job["problem"]["external_inputs"], member(problem, "external_inputs"));
  if (auto bonds = member(problem, "power_bonds"); bonds.is_array()) {
    job["problem"]["power_bonds"] = std::move(bonds);
  }
  for (const char* name :
       {"micro_steps", "substeps", "within_substep", "session_s", "search", "tests"}) {
    if (auto value = member(settings, name); !value.is_null()) {
      job[name] = std::move(value);
    }
  }
  if (job.contains("search")) {
    notes.push_back(
        "its search space is the configuration that was exported: macrostep fmu job writes it down "
        "as /search, to be widened");
  }
}

}  // namespace

SystemJob with_proposed_bonds(const nlohmann::json& job, const engine::FmuSource& fmus) {
  SystemJob result{.job = Json::parse(job.dump()), .notes = {}};
  auto problem = job.value("problem", nlohmann::json());
  if (!problem.is_object()) {
    return result;
  }
  problem["power_bonds"] = nlohmann::json::array();
  Errors errors;
  if (const auto own = read_own_problem(Value(problem, "/problem", errors), fmus)) {
    result.job["problem"]["power_bonds"] =
        proposals_json(engine::propose_bonds(*own), result.notes);
    result.bonds_proposed = true;
  }
  return result;
}

std::vector<std::string> fmu_notes(const nlohmann::json& job, const engine::FmuSource& fmus) {
  const auto problem = member(job, "problem");
  if (!problem.is_object()) {
    return {};
  }
  Errors errors;
  const auto own = read_own_problem(Value(problem, "/problem", errors), fmus);
  return own ? engine::sentences(engine::fmu_notices(*own)) : std::vector<std::string>();
}

SystemJob job_of_system(SystemStructure system, const nlohmann::json& settings,
                        const engine::FmuSource& fmus) {
  SystemJob result{.job = {{"name", system.name}}, .notes = system.notes};
  auto begun = take_initial_inputs(system, fmus, result.notes);
  Json connections = Json::array();
  for (const auto& connection : system.connections) {
    connections.push_back({{"from", text(connection.from)}, {"to", text(connection.to)}});
  }
  Json problem;
  problem["subsystems"] = subsystems_json(system);
  problem["connections"] = std::move(connections);
  problem["power_bonds"] = named_bonds(system, result.notes);
  problem["external_inputs"] = external_inputs(system, fmus);
  std::ranges::move(begun, std::back_inserter(problem["external_inputs"]));
  result.job["problem"] = std::move(problem);
  if (!settings.is_null()) {
    take_over(settings, result.job, result.notes);
  }
  for (const auto& input : result.job["problem"]["external_inputs"]) {
    if (!input.contains("minimum")) {
      result.notes.push_back("external input " + input["to"].get<std::string>() +
                             " needs a minimum and a maximum, over which the tests drive it");
    }
  }
  if (result.job["problem"]["power_bonds"].empty()) {
    auto proposed = with_proposed_bonds(nlohmann::json::parse(result.job.dump()), fmus);
    result.job = std::move(proposed.job);
    result.bonds_proposed = proposed.bonds_proposed;
    result.notes.insert(result.notes.end(), proposed.notes.begin(), proposed.notes.end());
  }
  return result;
}

}  // namespace macrostep::server::json
