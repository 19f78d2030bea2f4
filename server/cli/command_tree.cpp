#include "server/cli/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "engine/benchmarks/catalogue.hpp"

namespace macrostep::server {

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return (parent == nullptr ? "" : full_name(*parent) + " ") + command.get_name();
}

std::vector<const CLI::App*> commands_below(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::App*> commands_from(const CLI::App& command) {
  std::vector<const CLI::App*> all{&command};
  for (const CLI::App* below : commands_below(command)) {
    std::ranges::copy(commands_from(*below), std::back_inserter(all));
  }
  return all;
}

std::vector<const CLI::Option*> named_options(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->nonpositional(); });
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<std::string> typed_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  for (const auto& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  return names;
}

bool takes_value(const CLI::Option& option) {
  return option.get_expected_max() > 0;
}

bool takes_problem(const CLI::App& command) {
  return std::ranges::any_of(arguments_of(command), [](const CLI::Option* argument) {
    const auto name = argument->get_name(true);
    return name == "JOB" || name == "PROBLEM";
  });
}

std::vector<std::string> built_in_problems() {
  std::vector<std::string> names;
  for (const auto& problem : engine::catalogue()) {
    names.emplace_back(problem.name);
  }
  return names;
}

}  // namespace macrostep::server
