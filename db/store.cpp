// Opening, closing and care of the file.
#include "db/store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "db/schema.hpp"
#include "db/store_impl.hpp"

namespace macrostep::db {
namespace {

/// Of one schema version beside one file.
constexpr int maximum_backups = 1000;

// One file has one lock, whatever path leads to it.
std::filesystem::path canonical_path(const std::filesystem::path& file) {
  if (file.empty()) {
    throw Error(ErrorKind::system, "the database needs a file name", ENOENT);
  }
  std::error_code error;
  auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(file), error);
  if (error) {
    throw Error(ErrorKind::system, "cannot open database " + file.string() + ": " + error.message(),
                error.value());
  }
  if (const auto status = std::filesystem::status(path, error);
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw Error(ErrorKind::system, "database " + path.string() + " is not a regular file");
  }
  return path;
}

void sync_to_disk(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
  const int code = errno;
  if (descriptor >= 0) {
    close(descriptor);
  }
  if (!synced) {
    throw Error(ErrorKind::system,
                "cannot write " + path.string() + ": " + std::generic_category().message(code),
                code);
  }
}

/// An empty file that as many may read as the other one.
void create_alike(const std::filesystem::path& path, const std::filesystem::path& other) {
  struct stat status {};
  const int descriptor =
      stat(other.c_str(), &status) == 0
          ? open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0777)
          : -1;
  if (descriptor < 0) {
    const int code = errno;
    throw Error(ErrorKind::system,
                "cannot create " + path.string() + ": " + std::generic_category().message(code),
                code);
  }
  close(descriptor);
}

/// A consistent copy in one file that needs no log.
void write_copy(const std::filesystem::path& file, const std::filesystem::path& copy) {
  std::error_code error;
  if (std::filesystem::exists(copy, error)) {
    throw Error(ErrorKind::system, copy.string() + " exists already", EEXIST);
  }
  const std::filesystem::path partial = copy.string() + ".partial";
  std::filesystem::remove(partial, error);
  try {
    create_alike(partial, file);
    // A connection of its own, because this may take long.
    Connection(file, OpenMode::read).prepare("VACUUM INTO ?1").bind(partial.string()).run();
    sync_to_disk(partial);
    std::filesystem::rename(partial, copy);
  } catch (const std::filesystem::filesystem_error& failure) {
    std::filesystem::remove(partial, error);
    throw Error(ErrorKind::system, failure.what(), failure.code().value());
  } catch (...) {
    std::filesystem::remove(partial, error);
    throw;
  }
  try {
    sync_to_disk(std::filesystem::absolute(copy).parent_path());  // the name, too
  } catch (const Error&) {
    std::filesystem::remove(copy, error);
    throw;
  }
}

/// FILE.schema-3.backup, or .schema-3.backup-2 where there is one already.
std::filesystem::path backup_name(const std::filesystem::path& file, std::int64_t version) {
  const std::string name = file.string() + ".schema-" + std::to_string(version) + ".backup";
  std::filesystem::path result = name;
  std::error_code ignored;
  for (int number = 2; std::filesystem::exists(result, ignored); ++number) {
    if (number > maximum_backups) {
      throw Error(ErrorKind::system, "there are too many backups named " + name, EEXIST);
    }
    result = name + "-" + std::to_string(number);
  }
  return result;
}

/// After a copy of the file, unless it is new; a failure leaves the file as it was, and no copy.
std::optional<Migration> migrate_with_backup(Connection& connection, std::int64_t version,
                                             const std::filesystem::path& file) {
  if (version == 0 || version == schema_version) {
    migrate(connection, version);
    return std::nullopt;
  }
  const Migration migration{version, schema_version, backup_name(file, version)};
  const auto fail = [&](const Error& error) {
    throw Error(error.kind(),
                file.string() + " could not be brought from schema version " +
                    std::to_string(version) + " to " + std::to_string(schema_version) +
                    " and is as it was: " + error.what(),
                error.code());
  };
  try {
    write_copy(file, migration.backup);
  } catch (const Error& error) {
    fail(error);  // what has this name now is another's
  }
  try {
    migrate(connection, version);
  } catch (const Error& error) {
    std::error_code ignored;
    std::filesystem::remove(migration.backup, ignored);
    fail(error);
  }
  return migration;
}

std::optional<Migration> prepare_for_writing(Connection& connection, const StoreOptions& options,
                                             const std::filesystem::path& file) {
  const std::int64_t version = check_schema(connection, file.string());
  connection.execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
      "PRAGMA foreign_keys = ON");
  if (connection.pragma("synchronous") != 2 || connection.pragma("foreign_keys") != 1) {
    throw Error(ErrorKind::sqlite, file.string() + ": SQLite refuses synchronous or foreign_keys");
  }
  auto migration = migrate_with_backup(connection, version, file);
  if (options.maximum_pages > 0) {
    connection.execute("PRAGMA max_page_count = " + std::to_string(options.maximum_pages));
  }
  return migration;
}

}  // namespace

Store::Impl::Impl(const std::filesystem::path& path, StoreOptions options)
    : file(canonical_path(path)) {
  if (options.access == Access::write) {
    lock.emplace(file);
    writer.emplace(file, OpenMode::write_create);
    migration = prepare_for_writing(*writer, options, file);
  }
  reader.emplace(file, OpenMode::read);
  if (check_schema(*reader, file.string()) != schema_version) {
    throw Error(ErrorKind::other_schema,
                file.string() + " has an older schema: open it for writing once to migrate it");
  }
  identity = identity_now();
}

Store::Impl::FileIdentity Store::Impl::identity_now() const {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) {
    const int code = errno;
    throw Error(
        ErrorKind::system,
        "cannot find database " + file.string() + ": " + std::generic_category().message(code),
        code);
  }
  return {.device = status.st_dev, .inode = status.st_ino};
}

void Store::Impl::require_same_file() const {
  if (identity_now() != identity) {
    throw Error(ErrorKind::system,
                file.string() + " was replaced by another file while it was open");
  }
}

Store::Impl::~Impl() {
  reader.reset();
  if (!writer) {
    return;
  }
  try {
    writer->checkpoint();
  } catch (const Error&) {  // the log stays beside the file, and the next opener takes it up
  }
}

Store::Store(const std::filesystem::path& file, StoreOptions options)
    : impl_(std::make_unique<Impl>(file, options)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

void Store::probe() {
  impl_->require_same_file();
  impl_->read(
      [](Connection& reader) { return reader.prepare("SELECT 1 FROM searches LIMIT 1").step(); });
  const std::unique_lock turn(impl_->write_mutex, std::try_to_lock);
  if (turn && impl_->writer) {
    // Writes the first page, although it stays the same.
    Transaction transaction(*impl_->writer);
    impl_->writer->execute("PRAGMA user_version = " + std::to_string(schema_version));
    transaction.commit();
  }
}

Checkpoint Store::checkpoint() {
  const std::scoped_lock turn(impl_->write_mutex);
  if (!impl_->writer) {
    throw Error(ErrorKind::read_only, impl_->file.string() + " was opened for reading");
  }
  return impl_->writer->checkpoint();
}

void Store::snapshot(const std::filesystem::path& copy) const {
  write_copy(impl_->file, copy);
}

const std::optional<Migration>& Store::migration() const {
  return impl_->migration;
}

std::vector<std::string> Store::check() const {
  Connection connection(impl_->file, OpenMode::read);
  std::vector<std::string> problems;
  auto integrity = connection.prepare("PRAGMA integrity_check");
  while (integrity.step()) {
    if (integrity.text(0) != "ok") {
      problems.push_back(integrity.text(0));
    }
  }
  auto orphans = connection.prepare("PRAGMA foreign_key_check");
  while (orphans.step()) {
    problems.push_back("a row of " + orphans.text(0) + " refers to none in " + orphans.text(2));
  }
  return problems;
}

std::int64_t Store::full_scan_steps() const {
  std::int64_t steps = impl_->read([](Connection& reader) { return reader.full_scan_steps(); });
  const std::scoped_lock turn(impl_->write_mutex);
  if (impl_->writer) {
    steps += impl_->writer->full_scan_steps();
  }
  return steps;
}

}  // namespace macrostep::db
