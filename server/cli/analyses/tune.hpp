// macrostep tune: the settings of the energy correction that suit a problem and its test inputs.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_tune(CLI::App& app, Action& action);

}  // namespace macrostep::server
