// The tables, views and indices of the file, and how an older file becomes today's.
#pragma once

#include <cstdint>
#include <string>

#include "db/sqlite.hpp"

namespace macrostep::db {

constexpr std::int64_t schema_version = 8;
/// "MCST" in the file's header: tells `file` and us whose database this is.
constexpr std::int64_t application_id = 0x4d435354;

/// Throws Error unless the file is empty or a macrostep database that this program understands.
/// Changes nothing; returns the file's schema version, 0 for an empty file.
std::int64_t check_schema(Connection& connection, const std::string& file);

/// The same of a file that is to be read: an empty one is refused, too.
std::int64_t require_schema(Connection& connection, const std::string& file);

/// Brings the file from `version` to schema_version in one transaction.
void migrate(Connection& connection, std::int64_t version);

}  // namespace macrostep::db
