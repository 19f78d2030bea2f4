#include "engine/problem/own_problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "engine/problem/foreign_code.hpp"
#include "models/fmi/simulation/fmu_dynamics.hpp"
#include "models/fmi/simulation/make_fmu.hpp"
#include "models/state_space/make_state_space.hpp"
#include "models/subsystem/unit.hpp"

namespace macrostep::engine {

namespace {

std::string item(const std::string& list, std::size_t i) {
  return "/problem/" + list + "/" + std::to_string(i);
}

/// No unit is dimensionless.
void check_units(const std::vector<models::StateSpacePort>& ports, const std::string& pointer,
                 FieldErrors& errors) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (!ports[i].unit.empty() && !models::unit_from(ports[i].unit)) {
      errors.push_back({pointer + "/" + std::to_string(i) + "/unit",
                        "'" + shortened(ports[i].unit) +
                            "' is not a unit; write it as in N, mm, N s/m, kg m^2 or 1/s"});
    }
  }
}

/// What is wrong with the names of subsystems and the units of their ports.
FieldErrors subsystem_errors(const OwnProblem& own) {
  FieldErrors errors;
  if (own.subsystems.size() < 2 || own.subsystems.size() > max_own_subsystems) {
    errors.push_back(
        {"/problem/subsystems",
         "must hold between 2 and " + std::to_string(max_own_subsystems) + " subsystems"});
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < own.subsystems.size(); ++i) {
    const auto& subsystem = own.subsystems[i];
    const bool dotted = subsystem.name.find('.') != std::string::npos;
    if (subsystem.name.empty() || dotted || !names.insert(subsystem.name).second) {
      errors.push_back({item("subsystems", i) + "/name",
                        "every subsystem needs a name of its own, without dots"});
    }
    if (!subsystem.fmu) {
      check_units(subsystem.state_space.inputs, item("subsystems", i) + "/state_space/inputs",
                  errors);
      check_units(subsystem.state_space.outputs, item("subsystems", i) + "/state_space/outputs",
                  errors);
    }
  }
  return errors;
}

/// Names of the inputs of one subsystem that are driven from outside.
std::vector<std::string> externals_of(const OwnProblem& own, const std::string& subsystem) {
  std::vector<std::string> names;
  for (const auto& input : own.external_inputs) {
    if (input.to.subsystem == subsystem) {
      names.push_back(input.to.port);
    }
  }
  return names;
}

/// An FMU's inputs without a source keep their start values: only those with one are ports.
models::fmi::FmuUse use_of(const OwnProblem& own, const OwnSubsystem& subsystem) {
  models::fmi::FmuUse use{.name = subsystem.name,
                          .externals = externals_of(own, subsystem.name),
                          .parameters = subsystem.fmu->parameters,
                          .nominal = subsystem.fmu->nominal};
  for (const auto& connection : own.connections) {
    if (connection.to.subsystem == subsystem.name) {
      use.inputs.push_back(connection.to.port);
    }
  }
  return use;
}

/// A trial runs in one process.
void check_once_per_process(const OwnProblem& own, FieldErrors& errors) {
  std::map<std::string, std::string> users;  // of the FMU, by its hash
  for (std::size_t i = 0; i < own.subsystems.size(); ++i) {
    const auto& [name, model, fmu] = own.subsystems[i];
    if (!fmu || !fmu->fmu || !is_once_per_process(*fmu->fmu)) {
      continue;
    }
    const auto [user, is_first] = users.emplace(fmu->fmu->sha256, name);
    if (!is_first) {
      errors.push_back({item("subsystems", i) + "/fmu",
                        "the FMU can be instantiated only once in a process, and subsystem '" +
                            user->second + "' has it already"});
    }
  }
}

/// False if a subsystem's ports are wrong, and not just its matrices.
bool check_models(const OwnProblem& own, FieldErrors& errors) {
  bool ports_hold = true;
  for (std::size_t i = 0; i < own.subsystems.size(); ++i) {
    if (const auto& fmu = own.subsystems[i].fmu) {
      if (!fmu->fmu) {
        errors.push_back({item("subsystems", i) + "/fmu", "is not known"});
        continue;
      }
      for (const auto& error : models::fmi::check_use(*fmu->fmu, use_of(own, own.subsystems[i]))) {
        errors.push_back({item("subsystems", i) + "/" + (error.name.empty() ? "fmu" : error.name),
                          error.name.empty() ? "the FMU " + error.message : error.message});
      }
      continue;
    }
    for (const auto& error : models::check(own.subsystems[i].state_space)) {
      errors.push_back({item("subsystems", i) + "/state_space/" + error.name, error.message});
      ports_hold = ports_hold && error.name != "inputs" && error.name != "outputs";
    }
  }
  return ports_hold;
}

void check_external_inputs(const OwnProblem& own, FieldErrors& errors) {
  for (std::size_t i = 0; i < own.external_inputs.size(); ++i) {
    const auto& input = own.external_inputs[i];
    const std::string pointer = item("external_inputs", i);
    if (!(input.minimum <= input.initial && input.initial <= input.maximum)) {
      errors.push_back({pointer, "needs minimum ≤ initial ≤ maximum"});
    } else if (input.minimum == input.maximum) {
      errors.push_back({pointer,
                        "needs a minimum and a maximum that differ: the tests drive the "
                        "input over this range"});
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (own.external_inputs[k].to == input.to) {
        errors.push_back({pointer + "/to", "input '" + input.to.text() + "' has two sources: " +
                                               item("external_inputs", k) + " and this one"});
      }
    }
    for (std::size_t k = 0; k < own.connections.size(); ++k) {
      if (own.connections[k].to == input.to) {
        errors.push_back({pointer + "/to", "input '" + input.to.text() + "' has two sources: " +
                                               item("connections", k) + " and this one"});
      }
    }
  }
}

/// Ports alone, as of a subsystem whose matrices are wrong: any output may follow any input.
models::Description describe_ports(const models::StateSpace& model,
                                   const std::vector<std::string>& externals) {
  auto description = models::Description{};
  for (const auto& port : model.inputs) {
    const bool external = std::ranges::find(externals, port.name) != externals.end();
    if (external) {
      description.externals.push_back({.name = port.name, .unit = port.unit});
    } else {
      description.inputs.push_back({.name = port.name, .unit = port.unit});
    }
  }
  std::vector<std::size_t> all_inputs(description.inputs.size());
  std::iota(all_inputs.begin(), all_inputs.end(), std::size_t{0});
  for (const auto& port : model.outputs) {
    description.outputs.push_back({.name = port.name,
                                   .unit = port.unit,
                                   .nominal = port.nominal.value_or(models::large_nominal),
                                   .direct_inputs = all_inputs});
  }
  return description;
}

/// The ports that the problem mentions of an FMU that is not known.
models::Description describe_mentioned(const OwnProblem& own, const std::string& subsystem) {
  models::Description description;
  const auto add = [&](auto& ports, const PortName& name) {
    if (name.subsystem == subsystem &&
        std::ranges::none_of(ports, [&](const auto& port) { return port.name == name.port; })) {
      ports.emplace_back();
      ports.back().name = name.port;
      ports.back().unit = models::unknown_unit;
    }
  };
  for (const auto& connection : own.connections) {
    add(description.inputs, connection.to);
    add(description.outputs, connection.from);
  }
  for (const auto& bond : own.power_bonds) {
    std::ranges::for_each(bond.effort, [&](const auto& name) { add(description.outputs, name); });
    std::ranges::for_each(bond.flow, [&](const auto& name) { add(description.outputs, name); });
  }
  for (const auto& input : own.external_inputs) {
    add(description.externals, input.to);
  }
  return description;
}

/// The use of an FMU without its parameters, which may be wrong.
models::fmi::FmuUse ports_of(const OwnProblem& own, const OwnSubsystem& subsystem) {
  auto use = use_of(own, subsystem);
  use.parameters.clear();
  use.nominal.clear();
  return use;
}

/// Why `to` is no input of its FMU, with all that are, connected or not; empty if it is one, or not
/// an FMU's.
std::string why_no_fmu_input(const OwnProblem& own, const PortName& to) {
  const auto found = std::ranges::find(own.subsystems, to.subsystem, &OwnSubsystem::name);
  if (found == own.subsystems.end() || !found->fmu || !found->fmu->fmu) {
    return {};
  }
  std::string known;
  for (const auto& variable : found->fmu->fmu->description.variables) {
    if (!models::fmi::is_port(variable, models::fmi::Causality::input)) {
      continue;
    }
    if (variable.name == to.port) {
      return {};
    }
    known += (known.empty() ? "" : ", ") + variable.name;
  }
  return "subsystem '" + to.subsystem + "' has no input '" + to.port +
         "'; it has: " + (known.empty() ? "none" : known);
}

/// What is wrong with connections and bonds, from the ports alone.
void check_couplings(const OwnProblem& own, FieldErrors& errors) {
  Problem problem;
  problem.external_inputs = own.external_inputs;
  const auto graph = build_coupling_graph(problem, ports_only(own));
  const auto* wrong = std::get_if<FieldErrors>(&graph);
  if (!wrong) {
    return;
  }
  std::map<std::string, std::string> no_inputs;
  const auto look = [&](const char* list, std::size_t i, const PortName& to) {
    if (auto why = why_no_fmu_input(own, to); !why.empty()) {
      no_inputs[item(list, i) + "/to"] = std::move(why);
    }
  };
  for (std::size_t i = 0; i < own.connections.size(); ++i) {
    look("connections", i, own.connections[i].to);
  }
  for (std::size_t i = 0; i < own.external_inputs.size(); ++i) {
    look("external_inputs", i, own.external_inputs[i].to);
  }
  for (const auto& [pointer, message] : *wrong) {
    const auto known = no_inputs.find("/problem" + pointer);
    errors.push_back({"/problem" + pointer, known != no_inputs.end() ? known->second : message});
  }
}

SubsystemDefinition define_state_space(const OwnProblem& own, const OwnSubsystem& subsystem) {
  const auto& model = subsystem.state_space;
  const auto externals = externals_of(own, subsystem.name);
  const auto integrators = models::state_space_integrators(model);
  SubsystemDefinition definition{
      .name = subsystem.name,
      .group = subsystem.name,
      .description = models::describe_state_space(model, externals),
      .integrators = {integrators.begin(), integrators.end()},
      .micro_step_s = std::nullopt,
      .make = [model, externals, steps = std::make_shared<models::StepCache>(model.a)](
                  models::Integrator integrator, std::optional<double> micro_step_s) {
        return models::make_state_space(model, externals, integrator, micro_step_s, steps);
      }};
  if (model.sample_time_s) {
    definition.why_no_dynamics = "it has none in continuous time, as it is sampled";
  } else {
    definition.dynamics = [model, externals] {
      return models::state_space_dynamics(model, externals);
    };
  }
  return definition;
}

SubsystemDefinition define_fmu(const OwnFmu& own, const models::fmi::FmuUse& use) {
  const auto model = models::fmi::make_model(own.fmu, use);
  SubsystemDefinition definition{
      .name = use.name,
      .group = use.name,
      .description = model->description,
      .integrators = models::fmi::offered_integrators(*own.fmu),
      .micro_step_s = std::nullopt,
      .make =
          [model](models::Integrator integrator, std::optional<double> micro_step_s) {
            return models::fmi::make_fmu(model, integrator, micro_step_s);
          },
      .input_method =
          [model](models::Integrator integrator, std::optional<double> micro_step_s, int degree) {
            return models::fmi::input_method(*model, integrator, micro_step_s, degree);
          },
      .locates_own_events = models::fmi::returns_at_events(*model),
      .why_no_dynamics = models::fmi::why_no_dynamics(*own.fmu),
      .foreign_code = true};
  if (definition.why_no_dynamics.empty()) {
    definition.dynamics = [model] { return models::fmi::fmu_dynamics(model); };
  }
  return definition;
}

/// Values that jump have no slope to continue.
void hold_discrete_values(Coupling& coupling) {
  const auto any_discrete = [](const auto& ports, const std::string& name) {
    return std::ranges::any_of(
        ports, [&](const auto& port) { return port.name == name && port.discrete; });
  };
  for (auto& connection : coupling.connections) {
    for (const auto& subsystem : coupling.subsystems) {
      const auto& ports = subsystem.description;
      if ((subsystem.name == connection.from.subsystem &&
           any_discrete(ports.outputs, connection.from.port)) ||
          (subsystem.name == connection.to.subsystem &&
           any_discrete(ports.inputs, connection.to.port))) {
        connection.extrapolate = false;
      }
    }
  }
}

}  // namespace

bool OwnFmu::operator==(const OwnFmu& other) const {
  const bool same = fmu && other.fmu ? fmu->sha256 == other.fmu->sha256 : fmu == other.fmu;
  return same && parameters == other.parameters && nominal == other.nominal;
}

Coupling ports_only(const OwnProblem& own) {
  Coupling coupling{.name = own_coupling,
                    .subsystems = {},
                    .connections = own.connections,
                    .power_bonds = own.power_bonds};
  const auto is_missing = [&](const PortName& port) {
    const auto found = std::ranges::find(own.subsystems, port.subsystem, &OwnSubsystem::name);
    return found != own.subsystems.end() && found->fmu && !found->fmu->fmu;
  };
  for (auto& bond : coupling.power_bonds) {
    if (std::ranges::any_of(bond.effort, is_missing) ||
        std::ranges::any_of(bond.flow, is_missing)) {
      bond.factor = bond.factor.value_or(1);  // nobody knows its units yet
    }
  }
  for (const auto& subsystem : own.subsystems) {
    SubsystemDefinition definition;
    definition.name = subsystem.name;
    if (!subsystem.fmu) {
      definition.description =
          describe_ports(subsystem.state_space, externals_of(own, subsystem.name));
    } else if (!subsystem.fmu->fmu) {
      definition.description = describe_mentioned(own, subsystem.name);
    } else {
      definition.description =
          models::fmi::make_model(subsystem.fmu->fmu, ports_of(own, subsystem))->description;
    }
    coupling.subsystems.push_back(std::move(definition));
  }
  return coupling;
}

std::variant<Problem, FieldErrors> build_own_problem(const OwnProblem& own) {
  FieldErrors errors = subsystem_errors(own);
  check_external_inputs(own, errors);
  check_once_per_process(own, errors);
  const bool names_hold = errors.empty();
  const bool ports_hold = check_models(own, errors) && names_hold;
  if (own.connections.size() > max_own_connections) {
    errors.push_back({"/problem/connections",
                      "holds more than " + std::to_string(max_own_connections) + " connections"});
  }
  for (std::size_t i = 0; i < own.power_bonds.size(); ++i) {
    const double factor = own.power_bonds[i].factor.value_or(1);
    if (!std::isfinite(factor) || factor == 0) {
      errors.push_back({item("power_bonds", i) + "/factor", "must be a number other than 0"});
    }
  }
  if (ports_hold) {
    check_couplings(own, errors);
  }
  if (!errors.empty()) {
    return errors;
  }
  Problem problem;
  problem.name = "own";
  Coupling coupling{.name = own_coupling,
                    .subsystems = {},
                    .connections = own.connections,
                    .power_bonds = own.power_bonds};
  for (const auto& subsystem : own.subsystems) {
    coupling.subsystems.push_back(subsystem.fmu ? define_fmu(*subsystem.fmu, use_of(own, subsystem))
                                                : define_state_space(own, subsystem));
  }
  hold_discrete_values(coupling);
  problem.couplings = {std::move(coupling)};
  problem.external_inputs = own.external_inputs;
  return problem;
}

}  // namespace macrostep::engine
