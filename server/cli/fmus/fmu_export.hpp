// macrostep fmu export PROBLEM SUBSYSTEM: a built-in subsystem as an FMU.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_fmu_export(CLI::App& fmu, Action& action);

}  // namespace macrostep::server
