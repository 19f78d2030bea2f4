// What the shells offer while a command of macrostep is typed: commands, options, names of
// built-in problems, files.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace macrostep::server {

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);

}  // namespace macrostep::server
