// macrostep fmu: the group of the commands about single FMUs.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_fmu(CLI::App& app, Action& action);

}  // namespace macrostep::server
