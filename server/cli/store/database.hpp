// macrostep db: copies a database file, or checks one.
#pragma once

#include "server/cli/frame/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_database(CLI::App& app, Action& action);

}  // namespace macrostep::server
