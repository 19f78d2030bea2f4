// The commands of the program and their options, as help, manual and completions show them.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace macrostep::server {

/// "macrostep fmu inspect".
std::string full_name(const CLI::App& command);

/// The commands directly below, in the order of the help.
std::vector<const CLI::App*> commands_below(const CLI::App& command);
/// The command and all below it, those in front of their own.
std::vector<const CLI::App*> commands_from(const CLI::App& command);

/// The options with names, in the order of the help.
std::vector<const CLI::Option*> named_options(const CLI::App& command);
/// What stands without a name in front.
std::vector<const CLI::Option*> arguments_of(const CLI::App& command);

/// "--json", "-h": as they are typed.
std::vector<std::string> typed_names(const CLI::Option& option);
bool takes_value(const CLI::Option& option);
/// Takes a problem's name besides a file.
bool takes_problem(const CLI::App& command);
std::vector<std::string> built_in_problems();

}  // namespace macrostep::server
