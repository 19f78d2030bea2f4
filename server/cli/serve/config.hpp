// macrostep config show: the settings that macrostep serve would have here, and where from.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_config(CLI::App& app, Action& action);

}  // namespace macrostep::server
