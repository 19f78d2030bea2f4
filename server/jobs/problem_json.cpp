#include "server/jobs/problem_json.hpp"

#include <nlohmann/json.hpp>

#include "server/jobs/job_json.hpp"
#include "server/jobs/own_problem_json.hpp"
#include "server/jobs/read_job.hpp"
#include "server/jobs/test_json.hpp"

namespace macrostep::server::json {

namespace {

using Json = nlohmann::ordered_json;

template <class Ports>
Json ports_json(const Ports& ports) {
  Json list = Json::array();
  for (const auto& port : ports) {
    list.push_back({{"name", port.name}, {"unit", port.unit}});
  }
  return list;
}

Json subsystems_json(const engine::Problem& problem) {
  Json list = Json::array();
  for (const auto& subsystem : problem.subsystems()) {
    list.push_back({{"name", subsystem.name},
                    {"group", subsystem.group},
                    {"inputs", ports_json(subsystem.description.inputs)},
                    {"outputs", ports_json(subsystem.description.outputs)}});
  }
  return list;
}

/// Ports as each coupling has them: a subsystem exchanges other variables in another coupling.
Json ports_by_coupling_json(const engine::Problem& problem) {
  Json by_coupling = Json::object();
  for (const auto& coupling : problem.couplings) {
    Json list = Json::array();
    for (const auto& subsystem : coupling.subsystems) {
      list.push_back({{"name", subsystem.name},
                      {"inputs", ports_json(subsystem.description.inputs)},
                      {"outputs", ports_json(subsystem.description.outputs)}});
    }
    by_coupling[coupling.name] = std::move(list);
  }
  return by_coupling;
}

/// What each coupling connects, and where energy crosses it.
Json connections_by_coupling_json(const engine::Problem& problem) {
  Json by_coupling = Json::object();
  for (const auto& coupling : problem.couplings) {
    by_coupling[coupling.name] = connections_json(coupling.connections);
  }
  return by_coupling;
}

Json power_bonds_by_coupling_json(const engine::Problem& problem) {
  Json by_coupling = Json::object();
  for (const auto& coupling : problem.couplings) {
    by_coupling[coupling.name] = power_bonds_json(coupling.power_bonds);
  }
  return by_coupling;
}

Json groups_json(const engine::Problem& problem) {
  Json list = Json::array();
  for (const auto& group : problem.groups()) {
    Json members = Json::array();
    Json integrators = Json::array();
    Json micro_step_s;
    for (const auto& subsystem : problem.subsystems()) {
      if (subsystem.group != group) {
        continue;
      }
      if (members.empty()) {
        for (const auto integrator : subsystem.integrators) {
          integrators.push_back(to_string(integrator));
        }
        micro_step_s = subsystem.micro_step_s ? Json(*subsystem.micro_step_s) : Json();
      }
      members.push_back(subsystem.name);
    }
    list.push_back({{"name", group},
                    {"members", members},
                    {"integrators", integrators},
                    {"micro_step_s", micro_step_s}});
  }
  return list;
}

Json parameters_json(const engine::BuiltInProblem& built_in) {
  Json list = Json::array();
  for (const auto& parameter : built_in.parameters) {
    list.push_back({{"path", parameter.path},
                    {"unit", parameter.unit},
                    {"default", parameter.default_value},
                    {"minimum", parameter.minimum},
                    {"maximum", parameter.maximum},
                    {"description", parameter.description}});
  }
  return list;
}

Json external_inputs_json(const engine::Problem& problem) {
  Json list = Json::array();
  for (const auto& input : problem.external_inputs) {
    list.push_back({{"to", input.to.text()},
                    {"unit", unit_of(problem, input.to)},
                    {"initial", input.initial},
                    {"minimum", input.minimum},
                    {"maximum", input.maximum},
                    {"sampling", to_string(input.sampling)}});
  }
  return list;
}

Json tests_json(const std::vector<engine::TestInput>& tests) {
  Json list = Json::array();
  for (const auto& test : tests) {
    list.push_back(test_json(test));
  }
  return list;
}

}  // namespace

std::string unit_of(const engine::Problem& problem, const engine::PortName& input) {
  if (const auto* subsystem = problem.find_subsystem(input.subsystem)) {
    for (const auto& port : subsystem->description.externals) {
      if (port.name == input.port) {
        return port.unit;
      }
    }
  }
  return {};
}

Json problem_json(const engine::BuiltInProblem& built_in) {
  const auto built = built_in.build({});
  const auto& problem =
      std::get<engine::Problem>(built);  // the defaults of a built-in problem hold
  Json couplings = Json::array();
  for (const auto& coupling : problem.couplings) {
    couplings.push_back(coupling.name);
  }
  return {{"name", built_in.name},
          {"title", built_in.title},
          {"description", built_in.description},
          {"source", built_in.source},
          {"subsystems", subsystems_json(problem)},
          {"groups", groups_json(problem)},
          {"parameters", parameters_json(built_in)},
          {"couplings", couplings},
          {"ports_by_coupling", ports_by_coupling_json(problem)},
          {"connections_by_coupling", connections_by_coupling_json(problem)},
          {"power_bonds_by_coupling", power_bonds_by_coupling_json(problem)},
          {"external_inputs", external_inputs_json(problem)},
          {"other_tests", tests_json(built_in.other_tests)},
          {"job", job_json(read_job({{"problem", built_in.name}}).job)}};
}

Json problems_json() {
  Json list = Json::array();
  for (const auto& built_in : engine::catalogue()) {
    list.push_back(problem_json(built_in));
  }
  return {{"problems", list}};
}

}  // namespace macrostep::server::json
