// The schema of the file, today's, and how a file of an older one becomes it: by one chain of
// steps, each from a version to the next. The first version in the chain is the oldest that a
// release has written; files of development versions before it are refused.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "db/schema/sqlite.hpp"

namespace macrostep::db {

/// The oldest version that a file may have.
constexpr std::int64_t oldest_schema_version = 8;
constexpr std::int64_t schema_version = 10;
/// "MCST" in the file's header: tells `file` and us whose database this is.
constexpr std::int64_t application_id = 0x4d435354;

/// SQL that takes a file of version oldest_schema_version + i to the next one is the i-th.
using SchemaSteps = std::span<const char* const>;

/// The steps up to schema_version. A published one is never edited.
SchemaSteps schema_steps();

/// Throws Error unless the file is empty or a macrostep database that this program understands.
/// Changes nothing; returns the file's schema version, 0 for an empty file.
std::int64_t check_schema(Connection& connection, const std::string& file);

/// check_schema() of a file that is to be read: an empty one is refused, too.
std::int64_t require_schema(Connection& connection, const std::string& file);

/// Makes an empty file one of schema_version, in one transaction.
void create_schema(Connection& connection);

/// Takes the file from `version` on by the steps that are left, in one transaction. Returns the
/// version that it has then.
std::int64_t migrate(Connection& connection, std::int64_t version, SchemaSteps steps);

}  // namespace macrostep::db
