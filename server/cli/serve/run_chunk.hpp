// `macrostep run-chunk`: one chunk of a search, as tasks of a batch system run it.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_run_chunk(CLI::App& app, Action& action);

}  // namespace macrostep::server
