// The database file in which a command keeps what it runs, as --db names it.
#pragma once

#include <string>

#include "db/store/store.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::server {

/// Says on the standard error if the file was migrated, and where its copy is. What was killed
/// while it ran is interrupted from here on.
db::Store open_for_writing(const std::string& file);

/// Puts the FMUs of the plan beside the database, where a server of it looks for them. Throws
/// FmuRefused, std::system_error, db::Error.
void keep_fmus(db::Store& store, const std::string& file, const engine::Plan& plan);

}  // namespace macrostep::server
