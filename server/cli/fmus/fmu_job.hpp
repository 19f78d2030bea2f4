// macrostep fmu job FILE: a job from a system of another tool, with power bonds.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_fmu_job(CLI::App& fmu, Action& action);

}  // namespace macrostep::server
