// macrostep job: a job to begin with, whose members say what they are.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_job_command(CLI::App& app, Action& action);

}  // namespace macrostep::server
