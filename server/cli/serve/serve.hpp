// macrostep serve: REST and the dashboard on one address, over one database file.
#pragma once

#include <CLI/App.hpp>

#include "server/cli/frame/command.hpp"

namespace macrostep::server {

void add_serve(CLI::App& app, Action& action);

}  // namespace macrostep::server
