// macrostep db: care of a database file; and how the commands that keep something open theirs.
#pragma once

#include <string>

#include "db/store.hpp"
#include "server/commands/command.hpp"

namespace CLI {
class App;
}

namespace macrostep::server::commands {

/// Says on the standard error if the file was migrated, and where its copy is. What was killed
/// while it ran is interrupted from here on.
db::Store open_for_writing(const std::string& file);

void add_database(CLI::App& app, Action& action);

}  // namespace macrostep::server::commands
