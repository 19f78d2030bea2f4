#include "db/schema.hpp"

#include <iterator>

#include "db/error.hpp"
#include "db/schema_5.hpp"
#include "db/schema_6.hpp"
#include "db/schema_8.hpp"
#include "db/schema_new.hpp"

namespace macrostep::db {
namespace {

// migrations[v] takes a file of version v to v + 1. A published entry is never edited.
const std::string migrations[] = {
    std::string(version_1_searches) + version_1_documents + version_1_curves +
        version_1_recommendations + version_1_events + version_1_views,
    std::string(version_2) + version_2_keys + version_2_recommendations + version_2_views,
    std::string(version_3) + version_3_analyses,
    version_4,
    std::string(version_5) + version_5_lists,
    std::string(version_6_traces)  //
        + version_6_indicators     //
        + version_6_tagged         //
        + version_6_counts         //
        + version_6_step_times,
    version_7,
    std::string(version_8_before) + version_8_new_trials + version_8_new_traces + version_8_copies +
        version_8_rules + version_8_views + version_8_events,
};
static_assert(std::size(migrations) == schema_version);

bool has_tables(Connection& connection) {
  return connection.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").step();
}

}  // namespace

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

void migrate(Connection& connection, std::int64_t version) {
  if (version == schema_version) {
    return;
  }
  Transaction transaction(connection);
  if (version == 0) {
    connection.execute(new_schema());
  } else {
    for (auto from = version; from < schema_version; ++from) {
      connection.execute(migrations[static_cast<std::size_t>(from)]);
    }
  }
  connection.execute("PRAGMA application_id = " + std::to_string(application_id) +
                     "; PRAGMA user_version = " + std::to_string(schema_version));
  transaction.commit();
}

}  // namespace macrostep::db
