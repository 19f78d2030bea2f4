#include "server/cli/run/models.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"
#include "server/jobs/problem_json.hpp"
#include "server/json/nearest_name.hpp"
#include "server/json/words.hpp"

namespace macrostep::server {

namespace {

struct ModelsOptions {
  std::string problem;
  bool json = false;
};

template <class Ports>
std::string ports_text(const Ports& ports) {
  std::vector<std::string> parts;
  for (const auto& port : ports) {
    parts.push_back(port.name + " [" + port.unit + "]");
  }
  return parts.empty() ? "-" : json::enumeration(parts, "and");
}

std::string integrators_text(const engine::SubsystemDefinition& subsystem) {
  std::string text;
  for (const auto integrator : subsystem.integrators) {
    text += (text.empty() ? "" : ", ") + std::string(to_string(integrator));
  }
  return text;
}

std::string subsystems_text(const engine::Problem& problem) {
  using enum Table::Align;
  Table table({left, left, left, left});
  table.add({"subsystem", "group", "integrators", "micro-step"});
  for (const auto& subsystem : problem.subsystems()) {
    table.add({subsystem.name, subsystem.group, integrators_text(subsystem),
               subsystem.micro_step_s ? engine::macro_step_text(*subsystem.micro_step_s) : "H"});
  }
  return table.text(2);
}

/// What the subsystems exchange in each coupling.
std::string couplings_text(const engine::Problem& problem) {
  using enum Table::Align;
  Table table({left, left, left, left});
  table.add({"coupling", "subsystem", "inputs", "outputs"});
  for (const auto& coupling : problem.couplings) {
    std::string name = coupling.name;
    for (const auto& subsystem : coupling.subsystems) {
      table.add({name, subsystem.name, ports_text(subsystem.description.inputs),
                 ports_text(subsystem.description.outputs)});
      name.clear();
    }
  }
  return table.text(2);
}

const char* within_macro_step(const engine::Connection& connection) {
  return connection.extrapolate ? "extrapolated" : "held";
}

/// Which output goes to which input in each coupling, and where energy crosses it.
std::string connections_text(const engine::Problem& problem) {
  using enum Table::Align;
  Table table({left, left, left, left});
  table.add({"coupling", "connection", "", "within a macro-step"});
  for (const auto& coupling : problem.couplings) {
    std::string name = coupling.name;
    for (const auto& connection : coupling.connections) {
      table.add({name, connection.from.text(), "→ " + connection.to.text(),
                 within_macro_step(connection)});
      name.clear();
    }
  }
  return table.text(2);
}

std::string names_text(const std::vector<engine::PortName>& ports) {
  std::vector<std::string> names;
  for (const auto& port : ports) {
    names.push_back(port.text());
  }
  return names.size() == 1 ? names.front() : "(" + json::listed(names) + ")";
}

std::string power_bonds_text(const engine::Problem& problem) {
  using enum Table::Align;
  Table table({left, left, left, right});
  table.add({"coupling", "power bond: effort", "flow", "factor"});
  for (const auto& coupling : problem.couplings) {
    std::string name = coupling.name;
    for (const auto& bond : coupling.power_bonds) {
      table.add({name, names_text(bond.effort), "× " + names_text(bond.flow),
                 engine::number_text(bond.factor.value_or(1))});
      name.clear();
    }
  }
  return table.text(2);
}

std::string external_inputs_text(const engine::Problem& problem) {
  std::vector<std::string> parts;
  for (const auto& input : problem.external_inputs) {
    const auto unit = json::unit_of(problem, input.to);
    parts.push_back(input.to.text() + " from " + engine::number_text(input.minimum) + " to " +
                    engine::number_text(input.maximum) + (unit.empty() ? "" : " " + unit));
  }
  return json::enumeration(parts, "and");
}

std::string parameters_text(const engine::BuiltInProblem& built_in) {
  using enum Table::Align;
  Table table({left, right, left, left, left});
  table.add({"parameter", "default", "unit", "range", "meaning"});
  for (const auto& parameter : built_in.parameters) {
    table.add(
        {parameter.path, engine::number_text(parameter.default_value), parameter.unit,
         engine::number_text(parameter.minimum) + " … " + engine::number_text(parameter.maximum),
         parameter.description});
  }
  return table.text(2);
}

std::string model_text(const engine::BuiltInProblem& built_in) {
  const auto built = built_in.build({});
  const auto& problem =
      std::get<engine::Problem>(built);  // the defaults of a built-in problem hold
  std::vector<std::string> tests;
  for (const auto& test : built_in.default_job.tests) {
    tests.push_back(test.name);
  }
  std::vector<std::string> other_tests;
  for (const auto& test : built_in.other_tests) {
    other_tests.push_back(test.name);
  }
  return bold(built_in.name) + "\n" + "  " + wrapped(built_in.description, 2) + "\n  " +
         wrapped("Source: " + built_in.source + ".", 2) + "\n\n" + subsystems_text(problem) + "\n" +
         couplings_text(problem) + "\n" + connections_text(problem) + "\n" +
         power_bonds_text(problem) + "\n  external inputs  " + external_inputs_text(problem) +
         "\n  test inputs      " + json::enumeration(tests, "and") +
         (other_tests.empty() ? ""
                              : "\n  not searched     " + json::enumeration(other_tests, "and")) +
         "\n\n" + parameters_text(built_in);
}

/// A line per problem.
std::string overview_text() {
  using enum Table::Align;
  Table table({left, left, left});
  table.add({"problem", "what it is", "couplings"});
  for (const auto& built_in : engine::catalogue()) {
    const auto built = built_in.build({});
    std::string couplings;
    for (const auto& coupling : std::get<engine::Problem>(built).couplings) {
      couplings += (couplings.empty() ? "" : ", ") + coupling.name;
    }
    const auto& what = built_in.description;
    const auto first_part = what.substr(0, what.find_first_of(",:."));
    table.add({built_in.name, first_part, couplings});
  }
  return table.text(0) +
         "\nmacrostep models PROBLEM: its subsystems, ports, connections, parameters and tests.\n";
}

const engine::BuiltInProblem& find_problem(const std::string& name) {
  if (const auto* found = engine::find_built_in(name)) {
    return *found;
  }
  std::vector<std::string> names;
  for (const auto& built_in : engine::catalogue()) {
    names.push_back(built_in.name);
  }
  const bool is_path = name.find_first_of("./") != std::string::npos;
  throw CommandError(Failure::bad_usage,
                     (is_path ? "PROBLEM: must name a built-in problem, not a file: " : "") +
                         json::unknown_name(name, names));
}

int models(const ModelsOptions& options) {
  if (!options.problem.empty()) {
    const auto& built_in = find_problem(options.problem);
    print(options.json ? json::problem_json(built_in).dump() + "\n" : model_text(built_in));
    return exit_success;
  }
  if (options.json) {
    print(json::problems_json().dump() + "\n");
    return exit_success;
  }
  print(overview_text());
  return exit_success;
}

}  // namespace

void add_models(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ModelsOptions>();
  CLI::App* command =
      app.add_subcommand("models", "List the built-in problems, or everything about one of them");
  command->add_option(
      "PROBLEM", options->problem,
      "Name of a built-in problem: everything about it; without it a line per problem");
  command->add_flag("--json", options->json,
                    "Write JSON, with each problem's complete default job");
  command->footer(
      "A coupling is a choice of the variables that the subsystems exchange: --coupling of run "
      "and\n"
      "search.couplings of a job name it. Within a macro-step an input that is extrapolated "
      "follows\n"
      "--extrapolation; one that is held keeps the value of the last communication point whatever\n"
      "the extrapolation. Power bonds are where the energy residual is measured: effort × flow ×\n"
      "factor is a power in W.\n"
      "\n"
      "Examples:\n"
      "  macrostep models\n"
      "  macrostep models single_actuator_crane\n"
      "  macrostep models --json");
  command->callback([options, &action] { action = [options] { return models(*options); }; });
}

}  // namespace macrostep::server
