// macrostep reference: the monolithic solution of a problem as a CSV file, to compare with.
#pragma once

#include <CLI/App.hpp>

#include "server/cli/frame/command.hpp"

namespace macrostep::server {

void add_reference(CLI::App& app, Action& action);

}  // namespace macrostep::server
