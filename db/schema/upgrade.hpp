// An older file becomes one of today's schema when it is opened for writing, after a copy of it has
// been written beside it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "db/schema/opening.hpp"
#include "db/schema/schema.hpp"
#include "db/schema/sqlite.hpp"

namespace macrostep::db {

/// Takes the file, whose lock the caller has, from `version` to the end of the steps; nothing where
/// it is there already. A failure leaves the file as it was, and no copy, and is an Error.
std::optional<Migration> upgrade(Connection& connection, std::int64_t version,
                                 const std::filesystem::path& file,
                                 SchemaSteps steps = schema_steps());

}  // namespace macrostep::db
