// macrostep search JOB: finds the configuration and the macro-step to use.
#pragma once

#include <CLI/App.hpp>

#include "server/cli/frame/command.hpp"

namespace macrostep::server {

void add_search(CLI::App& app, Action& action);

}  // namespace macrostep::server
