#include "db/schema/schema.hpp"

#include <array>
#include <cstddef>

#include "db/schema/error.hpp"
#include "db/schema/schema_10.hpp"
#include "db/schema/schema_9.hpp"
#include "db/schema/schema_new.hpp"

namespace macrostep::db {
namespace {

constexpr std::array steps{to_version_9, to_version_10};
static_assert(steps.size() == schema_version - oldest_schema_version);

bool has_tables(Connection& connection) {
  return connection.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").step();
}

void set_version(Connection& connection, std::int64_t version) {
  connection.execute("PRAGMA application_id = " + std::to_string(application_id) +
                     "; PRAGMA user_version = " + std::to_string(version));
}

}  // namespace

SchemaSteps schema_steps() {
  return steps;
}

std::int64_t check_schema(Connection& connection, const std::string& file) {
  const std::int64_t id = connection.pragma("application_id");
  const std::int64_t version = connection.pragma("user_version");
  if (id == 0 && version == 0 && !has_tables(connection)) {
    return 0;
  }
  if (id != application_id) {
    throw Error(ErrorKind::foreign_file,
                file + " is a database of another application (application_id " +
                    std::to_string(id) + "); it was left untouched");
  }
  if (version < 1) {
    throw Error(ErrorKind::other_schema, file + " has schema version " + std::to_string(version) +
                                             ", which no macrostep has ever written; it was left "
                                             "untouched");
  }
  if (version < oldest_schema_version) {
    throw Error(ErrorKind::other_schema,
                file + " has schema version " + std::to_string(version) +
                    " of a development version of macrostep; files are upgraded from version " +
                    std::to_string(oldest_schema_version) +
                    " on. It was left untouched: name another file with --db to start a new one, "
                    "and read this one with any SQLite tool or with the macrostep that wrote it");
  }
  if (version > schema_version) {
    throw Error(ErrorKind::other_schema,
                file + " has schema version " + std::to_string(version) +
                    ", written by a newer macrostep; this one knows versions up to " +
                    std::to_string(schema_version) +
                    ". It was left untouched: install the newer one again, or name with --db what "
                    "that one copied before its upgrade, " +
                    file + ".schema-" + std::to_string(schema_version) +
                    ".backup or an older such file, if there is one");
  }
  return version;
}

std::int64_t require_schema(Connection& connection, const std::string& file) {
  const auto version = check_schema(connection, file);
  if (version == 0) {
    throw Error(ErrorKind::foreign_file, file + " is empty: no database of macrostep");
  }
  return version;
}

void create_schema(Connection& connection) {
  Transaction transaction(connection);
  connection.execute(new_schema());
  set_version(connection, schema_version);
  transaction.commit();
}

std::int64_t migrate(Connection& connection, std::int64_t version, SchemaSteps all) {
  const auto left = all.subspan(static_cast<std::size_t>(version - oldest_schema_version));
  const auto newest = version + static_cast<std::int64_t>(left.size());
  Transaction transaction(connection);
  for (const char* step : left) {
    connection.execute(step);
  }
  set_version(connection, newest);
  transaction.commit();
  return newest;
}

}  // namespace macrostep::db
