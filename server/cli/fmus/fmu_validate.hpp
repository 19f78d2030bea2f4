// macrostep fmu validate FILE: an FMU against the rules of its standard.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_fmu_validate(CLI::App& fmu, Action& action);

}  // namespace macrostep::server
