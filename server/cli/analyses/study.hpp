// macrostep study: how often recommendations are wrong, counted on drawn problems.
#pragma once

#include <CLI/App.hpp>

#include "server/cli/frame/command.hpp"

namespace macrostep::server {

void add_study(CLI::App& app, Action& action);

}  // namespace macrostep::server
