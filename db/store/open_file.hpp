// A database file that is open: its lock, a connection that writes and one that reads, each used by
// one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <type_traits>

#include "db/schema/error.hpp"
#include "db/schema/file_lock.hpp"
#include "db/schema/opening.hpp"
#include "db/schema/sqlite.hpp"

namespace macrostep::db {

struct OpenFile {
  OpenFile(const std::filesystem::path& file, StoreOptions options);
  ~OpenFile();

  /// Runs `action(connection, arguments...)` as one transaction: all of it or, if it throws,
  /// nothing. What went into a file that is gone from its name would be lost without a word, so
  /// that is refused.
  template <class Action, class... Arguments>
  auto write(const Action& action, const Arguments&... arguments) {
    const std::scoped_lock turn(write_mutex);
    if (!writer) {
      throw Error(ErrorKind::read_only, path.string() + " was opened for reading");
    }
    require_same_file();
    Transaction transaction(*writer);
    if constexpr (std::is_void_v<decltype(action(*writer, arguments...))>) {
      action(*writer, arguments...);
      commit(transaction);
    } else {
      auto result = action(*writer, arguments...);
      commit(transaction);
      return result;
    }
  }

  void commit(Transaction& transaction) {
    transaction.commit();
    ++revision;
  }

  template <class Action, class... Arguments>
  auto read(const Action& action, const Arguments&... arguments) {
    const std::scoped_lock turn(read_mutex);
    return action(*reader, arguments...);
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

  std::filesystem::path path;
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

}  // namespace macrostep::db
