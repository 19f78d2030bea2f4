// macrostep models: the built-in problems, with everything that can be set.
#pragma once

#include <CLI/App.hpp>

#include "server/cli/frame/command.hpp"

namespace macrostep::server {

void add_models(CLI::App& app, Action& action);

}  // namespace macrostep::server
