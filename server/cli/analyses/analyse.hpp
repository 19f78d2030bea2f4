// macrostep analyse: stability and accuracy of one configuration against the macro-step.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_analyse(CLI::App& app, Action& action);

}  // namespace macrostep::server
