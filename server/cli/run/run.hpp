// macrostep run JOB: one trial of one configuration at one macro-step.
#pragma once

#include <CLI/App.hpp>

#include "server/cli/frame/command.hpp"

namespace macrostep::server {

void add_run(CLI::App& app, Action& action);

}  // namespace macrostep::server
