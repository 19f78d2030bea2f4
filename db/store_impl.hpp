// The inside of Store, shared by its source files.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "db/error.hpp"
#include "db/file_lock.hpp"
#include "db/sqlite.hpp"
#include "db/store.hpp"

namespace macrostep::db {

struct Store::Impl {
  Impl(const std::filesystem::path& path, StoreOptions options);
  ~Impl();

  /// Runs `action(connection)` as one transaction: all of it or, if it throws, nothing. What went
  /// into a file that is gone from its name would be lost without a word, so that is refused.
  template <class Action>
  auto write(Action&& action) {
    const std::scoped_lock turn(write_mutex);
    if (!writer) {
      throw Error(ErrorKind::read_only, file.string() + " was opened for reading");
    }
    require_same_file();
    Transaction transaction(*writer);
    auto result = std::forward<Action>(action)(*writer);
    transaction.commit();
    ++revision;
    return result;
  }

  template <class Action>
  auto read(Action&& action) {
    const std::scoped_lock turn(read_mutex);
    return std::forward<Action>(action)(*reader);
  }

  /// Which file stands under the name: one that was removed or replaced has another identity.
  struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    bool operator==(const FileIdentity&) const = default;
  };
  FileIdentity identity_now() const;
  /// Throws Error unless the file that was opened still stands under its name.
  void require_same_file() const;

  std::filesystem::path file;
  std::int64_t maximum_trace_bytes;
  FileIdentity identity;
  std::optional<Migration> migration;
  // Declared before the connections, hence given up after they are closed.
  std::optional<FileLock> lock;
  std::mutex write_mutex;
  std::optional<Connection> writer;
  std::atomic<std::uint64_t> revision = 0;
  std::mutex read_mutex;
  std::optional<Connection> reader;
};

/// Error(unknown_fmu) if one of them is not stored.
void require_fmus(Connection& connection, std::span<const std::string> fmus);

}  // namespace macrostep::db
