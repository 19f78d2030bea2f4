#include "db/schema/upgrade.hpp"

#include <string>
#include <system_error>

#include "db/schema/error.hpp"
#include "db/schema/file_care.hpp"

namespace macrostep::db {

std::optional<Migration> upgrade(Connection& connection, std::int64_t version,
                                 const std::filesystem::path& file, SchemaSteps steps) {
  const auto newest = oldest_schema_version + static_cast<std::int64_t>(steps.size());
  if (version == newest) {
    return std::nullopt;
  }
  const auto fail = [&](const Error& error) {
    throw Error(error.kind(),
                file.string() + " could not be brought from schema version " +
                    std::to_string(version) + " to " + std::to_string(newest) +
                    " and is as it was: " + error.what(),
                error.code());
  };
  Backup backup;
  try {
    backup = back_up(file, version);
  } catch (const Error& error) {
    fail(error);  // a file of this name is not our backup: it stays
  }
  try {
    migrate(connection, version, steps);
  } catch (const Error& error) {
    std::error_code ignored;
    if (backup.is_new) {
      std::filesystem::remove(backup.path, ignored);
    }
    fail(error);
  }
  return Migration{version, newest, backup.path};
}

}  // namespace macrostep::db
