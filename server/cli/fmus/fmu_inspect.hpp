// macrostep fmu inspect FILE: ports, units, parameters, flags.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_fmu_inspect(CLI::App& fmu, Action& action);

}  // namespace macrostep::server
