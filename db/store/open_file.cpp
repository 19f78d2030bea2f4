#include "db/store/open_file.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "db/schema/file_care.hpp"
#include "db/schema/schema.hpp"
#include "db/schema/upgrade.hpp"

namespace macrostep::db {

namespace {

std::optional<Migration> prepare_for_writing(Connection& connection, const StoreOptions& options,
                                             const std::filesystem::path& file) {
  const std::int64_t version = check_schema(connection, file.string());
  connection.execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
      "PRAGMA foreign_keys = ON");
  if (connection.pragma("synchronous") != 2 || connection.pragma("foreign_keys") != 1) {
    throw Error(ErrorKind::sqlite, file.string() + ": SQLite refuses synchronous or foreign_keys");
  }
  std::optional<Migration> migration;
  if (version == 0) {
    create_schema(connection);
  } else {
    migration = upgrade(connection, version, file);
  }
  if (options.maximum_pages > 0) {
    connection.execute("PRAGMA max_page_count = " + std::to_string(options.maximum_pages));
  }
  return migration;
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& file, StoreOptions options)
    : path(canonical_path(file)), maximum_trace_bytes(options.trace_bytes) {
  if (options.access == Access::write) {
    refuse_other_file(path);
    lock.emplace(path);
    writer.emplace(path, OpenMode::write_create);
    migration = prepare_for_writing(*writer, options, path);
  }
  reader.emplace(path, writer ? OpenMode::read : OpenMode::inspect);
  if (require_schema(*reader, path.string()) != schema_version) {
    throw Error(ErrorKind::other_schema,
                path.string() + " has an older schema: open it for writing once to migrate it");
  }
  identity = identity_now();
}

OpenFile::FileIdentity OpenFile::identity_now() const {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    const int code = errno;
    throw Error(
        ErrorKind::system,
        "cannot find database " + path.string() + ": " + std::generic_category().message(code),
        code);
  }
  return {.device = status.st_dev, .inode = status.st_ino};
}

void OpenFile::require_same_file() const {
  if (identity_now() != identity) {
    throw Error(ErrorKind::system,
                path.string() + " was replaced by another file while it was open");
  }
}

OpenFile::~OpenFile() {
  reader.reset();
  if (!writer) {
    return;
  }
  try {
    writer->checkpoint();
  } catch (const Error&) {  // the log stays beside the file, and the next opener takes it up
  }
}

}  // namespace macrostep::db
