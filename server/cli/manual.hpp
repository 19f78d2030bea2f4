// macrostep manual: what a package installs beside the program, made of what --help is made of.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_manual(CLI::App& app, Action& action);

}  // namespace macrostep::server
