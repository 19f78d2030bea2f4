// `macrostep worker`: runs trials for another process of this program, which starts it.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_worker(CLI::App& app, Action& action);

}  // namespace macrostep::server
