// The options of commands that run FMUs.
#pragma once

#include "server/process/foreign_settings.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

void add_foreign_options(CLI::App& command, ForeignSettings& settings);

}  // namespace macrostep::server
