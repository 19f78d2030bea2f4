// macrostep map: stability or accuracy over two parameters and H.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_map(CLI::App& app, Action& action);

}  // namespace macrostep::server
