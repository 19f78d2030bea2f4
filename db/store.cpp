// Opening, closing and probing the file.
#include "db/store.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "db/file_care.hpp"
#include "db/schema.hpp"
#include "db/store_impl.hpp"
#include "db/upgrade.hpp"

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

Store::Impl::Impl(const std::filesystem::path& path, StoreOptions options)
    : file(canonical_path(path)), maximum_trace_bytes(options.trace_bytes) {
  if (options.access == Access::write) {
    refuse_other_file(file);
    lock.emplace(file);
    writer.emplace(file, OpenMode::write_create);
    migration = prepare_for_writing(*writer, options, file);
  }
  reader.emplace(file, writer ? OpenMode::read : OpenMode::inspect);
  if (require_schema(*reader, file.string()) != schema_version) {
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

const std::optional<Migration>& Store::migration() const {
  return impl_->migration;
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
