// macrostep export SEARCH_ID --db FILE: what a stored search has found, for other tools.
#pragma once

#include <CLI/App.hpp>

#include "server/cli/frame/command.hpp"

namespace macrostep::server {

void add_export(CLI::App& app, Action& action);

}  // namespace macrostep::server
