// macrostep validate: the recommendations for all built-in problems against the truth.
#pragma once

#include <CLI/App.hpp>

#include "server/cli/frame/command.hpp"

namespace macrostep::server {

void add_validate(CLI::App& app, Action& action);

}  // namespace macrostep::server
