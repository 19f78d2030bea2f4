#include "server/jobs/own_problem_json.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engine/problem/fmu_notices.hpp"
#include "server/jobs/matrix_json.hpp"
#include "server/json/choices.hpp"

namespace macrostep::server::json {

namespace {

using engine::OwnProblem;
using Json = nlohmann::ordered_json;
using Port = decltype(engine::OwnSubsystem::state_space.inputs)::value_type;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

std::vector<Port> read_ports(const Value& value, bool outputs) {
  std::vector<Port> ports;
  for (const Value& element : value.elements()) {
    Members members(element);
    Port port;
    if (const auto name = members.require("name")) {
      port.name = name->name().value_or("");
    }
    read_member(members, "unit", port.unit, [](const Value& unit) { return unit.text(); });
    if (outputs) {
      if (const auto nominal = members.find("nominal")) {
        port.nominal = nominal->is_null() ? std::nullopt : nominal->positive();
      }
    }
    ports.push_back(std::move(port));
  }
  return ports;
}

/// In the place of matrices that could not be read: of the right shapes, so that the rest of the
/// problem can be judged.
void put_zeros(models::StateSpace& model) {
  const auto inputs = index(model.inputs.size());
  const auto outputs = index(model.outputs.size());
  model.a = Eigen::MatrixXd::Zero(1, 1);
  model.b = Eigen::MatrixXd::Zero(1, inputs);
  model.c = Eigen::MatrixXd::Zero(outputs, 1);
  if (model.d.rows() != outputs || model.d.cols() != inputs) {  // else it stays: bonds may need it
    model.d = Eigen::MatrixXd::Zero(outputs, inputs);
  }
  model.x0 = Eigen::VectorXd::Zero(1);
}

void put_no_state(models::StateSpace& model) {
  model.a.resize(0, 0);
  model.b.resize(0, index(model.inputs.size()));
  model.c.resize(index(model.outputs.size()), 0);
}

/// False if the ports are not known.
bool read_state_space(const Value& value, models::StateSpace& model) {
  Members members(value);
  const auto first = value.errors().count();
  if (const auto inputs = members.require("inputs")) {
    model.inputs = read_ports(*inputs, false);
  }
  if (const auto outputs = members.require("outputs")) {
    model.outputs = read_ports(*outputs, true);
  }
  const bool ports_known = value.errors().count() == first;
  const auto matrix = [&](const char* name, Eigen::MatrixXd& target) {
    if (const auto rows = members.require(name)) {
      target = read_matrix(*rows);
    }
  };
  if (members.find("A") || members.find("B") || members.find("C")) {
    matrix("A", model.a);
    matrix("B", model.b);
    matrix("C", model.c);
    model.d = Eigen::MatrixXd::Zero(model.c.rows(), model.b.cols());
    if (const auto rows = members.find("D")) {
      model.d = read_matrix(*rows);
    }
    if (value.errors().count() == first && model.a.size() + model.b.size() + model.c.size() == 0) {
      put_no_state(model);
      members.require("D");
    }
  } else if (const auto rows = members.find("D")) {  // without a state
    model.d = read_matrix(*rows);
    put_no_state(model);
  } else if (value.json().is_object()) {
    value.fail("has no matrices: give A, B and C, or without a state D alone");
  }
  model.x0 = Eigen::VectorXd::Zero(model.a.rows());
  read_member(members, "sample_time_s", model.sample_time_s,
              [](const Value& seconds) { return seconds.positive(); });
  if (const auto start = members.find("x0")) {
    model.x0 = read_vector(*start);
  }
  if (value.errors().count() > first) {
    put_zeros(model);
  }
  return ports_known && value.json().is_object();
}

/// Numbers, truths and texts by name.
models::fmi::ParameterValues read_parameters(const Value& value) {
  models::fmi::ParameterValues parameters;
  for (const auto& [name, entry] : value.entries()) {
    if (entry.json().is_string()) {
      if (auto text = entry.text()) {
        parameters[name] = std::move(*text);
      }
    } else if (entry.json().is_boolean()) {
      parameters[name] = entry.json().get<bool>() ? 1.0 : 0.0;
    } else if (const auto number = entry.number()) {
      parameters[name] = *number;
    }
  }
  return parameters;
}

/// Null, after a report, where there is no such FMU.
engine::FmuPointer find_fmu(const Value& value, const engine::FmuSource& fmus) {
  const auto called = value.text();
  if (!called) {
    return nullptr;
  }
  if (!fmus) {
    value.fail("FMUs are not available here");
    return nullptr;
  }
  auto found = fmus(*called);
  if (const auto* why = std::get_if<std::string>(&found)) {
    value.fail(*why);
    return nullptr;
  }
  return std::get<engine::FmuPointer>(std::move(found));
}

engine::OwnFmu read_fmu(const Value& value, Members& members, const engine::FmuSource& fmus) {
  engine::OwnFmu own;
  if (const auto parameters = members.find("parameters")) {
    own.parameters = read_parameters(*parameters);
  }
  if (const auto nominal = members.find("nominal")) {
    for (const auto& [name, entry] : nominal->entries()) {
      if (const auto number = entry.positive()) {
        own.nominal[name] = *number;
      }
    }
  }
  own.fmu = find_fmu(value, fmus);
  return own;
}

/// `ports_known` becomes false if those of the subsystem are not.
engine::OwnSubsystem read_subsystem(const Value& value, const engine::FmuSource& fmus,
                                    bool& ports_known) {
  Members members(value);
  engine::OwnSubsystem subsystem;
  const auto first = value.errors().count();
  if (const auto name = members.require("name")) {
    subsystem.name = name->name().value_or("");
  }
  ports_known = ports_known && value.errors().count() == first;
  if (const auto fmu = members.find("fmu")) {
    subsystem.fmu = read_fmu(*fmu, members, fmus);
  } else if (const auto model = members.require("state_space")) {
    ports_known = read_state_space(*model, subsystem.state_space) && ports_known;
  } else {
    ports_known = false;
  }
  return subsystem;
}

engine::PortName port_name(const Value& value) {
  const auto text = value.text();
  if (!text) {
    return {};
  }
  const auto dot = text->find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == text->size()) {
    value.fail("must be SUBSYSTEM.PORT");
    return {};
  }
  return {text->substr(0, dot), text->substr(dot + 1)};
}

engine::PortName read_port_name(Members& members, std::string_view member) {
  const auto value = members.require(member);
  return value ? port_name(*value) : engine::PortName{};
}

/// One port, or an array of them: the components of a bond.
std::vector<engine::PortName> read_components(Members& members, std::string_view member) {
  std::vector<engine::PortName> names;
  const auto value = members.require(member);
  if (value && value->json().is_array()) {
    for (const Value& element : value->elements()) {
      names.push_back(port_name(element));
    }
  } else if (value) {
    names.push_back(port_name(*value));
  }
  return names;
}

Json components_json(const std::vector<engine::PortName>& names) {
  if (names.size() == 1) {
    return names.front().text();
  }
  Json list = Json::array();
  for (const auto& name : names) {
    list.push_back(name.text());
  }
  return list;
}

engine::Connection read_connection(const Value& value) {
  Members members(value);
  engine::Connection connection;
  connection.from = read_port_name(members, "from");
  connection.to = read_port_name(members, "to");
  read_member(members, "extrapolate", connection.extrapolate,
              [](const Value& flag) { return flag.boolean(); });
  read_member(members, "delay_macro_steps", connection.delay_macro_steps,
              [](const Value& count) { return count.integer(0, engine::max_delay_macro_steps); });
  return connection;
}

engine::PowerBond read_bond(const Value& value) {
  Members members(value);
  engine::PowerBond bond;
  bond.effort = read_components(members, "effort");
  bond.flow = read_components(members, "flow");
  read_member(members, "factor", bond.factor, [](const Value& factor) { return factor.number(); });
  return bond;
}

engine::ExternalInput read_external_input(const Value& value) {
  Members members(value);
  engine::ExternalInput input;
  input.to = read_port_name(members, "to");
  const auto number = [](const Value& limit) { return limit.number(); };
  read_member(members, "initial", input.initial, number);
  input.minimum = input.maximum = input.initial;
  read_member(members, "minimum", input.minimum, number);
  read_member(members, "maximum", input.maximum, number);
  read_choice(members, "sampling", input.sampling, models::sampling_from, models::all_samplings);
  return input;
}

template <class Item, class Read>
void read_list(Members& members, std::string_view name, bool required, std::vector<Item>& target,
               Read read) {
  const auto list = required ? members.require(name) : members.find(name);
  if (!list) {
    return;
  }
  for (const Value& element : list->elements()) {
    target.push_back(read(element));
  }
}

Json fmu_subsystem_json(const engine::OwnSubsystem& subsystem) {
  Json parameters = Json::object();
  for (const auto& [name, value] : subsystem.fmu->parameters) {
    Json& parameter = parameters[name];
    std::visit([&](const auto& plain) { parameter = plain; }, value);
  }
  return {{"name", subsystem.name},
          {"fmu", subsystem.fmu->fmu->sha256},
          {"parameters", std::move(parameters)},
          {"nominal", subsystem.fmu->nominal}};
}

Json subsystem_json(const engine::OwnSubsystem& subsystem) {
  if (subsystem.fmu) {
    return fmu_subsystem_json(subsystem);
  }
  const auto& model = subsystem.state_space;
  Json inputs = Json::array();
  for (const auto& port : model.inputs) {
    inputs.push_back({{"name", port.name}, {"unit", port.unit}});
  }
  Json outputs = Json::array();
  for (const auto& port : model.outputs) {
    outputs.push_back({{"name", port.name},
                       {"unit", port.unit},
                       {"nominal", port.nominal ? Json(*port.nominal) : Json()}});
  }
  Json x0 = Json::array();
  for (Eigen::Index i = 0; i < model.x0.size(); ++i) {
    x0.push_back(model.x0(i));
  }
  Json state_space = Json::object();
  if (model.a.rows() > 0) {
    state_space = {{"A", matrix_json(model.a)},
                   {"B", matrix_json(model.b)},
                   {"C", matrix_json(model.c)},
                   {"x0", x0}};
  }
  state_space.update({{"D", matrix_json(model.d)}, {"inputs", inputs}, {"outputs", outputs}});
  if (model.sample_time_s) {
    state_space["sample_time_s"] = *model.sample_time_s;
  }
  return {{"name", subsystem.name}, {"state_space", state_space}};
}

}  // namespace

std::optional<OwnProblem> read_own_problem(const Value& value, const engine::FmuSource& fmus) {
  OwnProblem own;
  bool ports_known = true;
  {
    Members members(value);
    read_list(members, "subsystems", true, own.subsystems,
              [&](const Value& subsystem) { return read_subsystem(subsystem, fmus, ports_known); });
    read_list(members, "connections", true, own.connections, read_connection);
    if (value.json().is_object() && !value.json().contains("power_bonds")) {
      value.errors().add(pointer_to(value.pointer(), "power_bonds"),
                         std::string("is missing; ") + engine::who_proposes_bonds);
    }
    read_list(members, "power_bonds", false, own.power_bonds, read_bond);
    read_list(members, "external_inputs", false, own.external_inputs, read_external_input);
  }
  return ports_known ? std::optional(std::move(own)) : std::nullopt;
}

Json connections_json(const std::vector<engine::Connection>& connections) {
  Json list = Json::array();
  for (const auto& connection : connections) {
    list.push_back({{"from", connection.from.text()},
                    {"to", connection.to.text()},
                    {"extrapolate", connection.extrapolate},
                    {"delay_macro_steps", connection.delay_macro_steps}});
  }
  return list;
}

Json power_bonds_json(const std::vector<engine::PowerBond>& bonds) {
  Json list = Json::array();
  for (const auto& bond : bonds) {
    Json json = {{"effort", components_json(bond.effort)}, {"flow", components_json(bond.flow)}};
    if (bond.factor) {
      json["factor"] = *bond.factor;
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json own_problem_json(const OwnProblem& own) {
  Json subsystems = Json::array();
  for (const auto& subsystem : own.subsystems) {
    subsystems.push_back(subsystem_json(subsystem));
  }
  Json inputs = Json::array();
  for (const auto& input : own.external_inputs) {
    inputs.push_back({{"to", input.to.text()},
                      {"initial", input.initial},
                      {"minimum", input.minimum},
                      {"maximum", input.maximum},
                      {"sampling", to_string(input.sampling)}});
  }
  return {{"subsystems", subsystems},
          {"connections", connections_json(own.connections)},
          {"power_bonds", power_bonds_json(own.power_bonds)},
          {"external_inputs", inputs}};
}

}  // namespace macrostep::server::json
