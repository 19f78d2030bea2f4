// One writer process per database: an exclusive advisory lock on FILE-lock, which holds the
// writer's process id so that a second opener can name it. The kernel drops the lock when the
// process dies, however it dies; the file stays, because removing it would let two processes lock
// two files.
#pragma once

#include <filesystem>

namespace macrostep::db {

class FileLock {
 public:
  /// Throws Error (locked, naming the holder, or system).
  explicit FileLock(const std::filesystem::path& database);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace macrostep::db
