// Advisory locks on directories, which the kernel drops when their process dies, however it dies.
#pragma once

#include <filesystem>
#include <optional>

namespace macrostep::server {

class DirectoryLock {
 public:
  /// Nothing where somebody else holds a lock of any kind, or the directory is gone.
  static std::optional<DirectoryLock> exclusive(const std::filesystem::path& directory);
  /// Beside others of this kind; waits while somebody has it alone. Nothing if the directory is
  /// gone then. Its time of change is now.
  static std::optional<DirectoryLock> shared(const std::filesystem::path& directory);

  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&& other) noexcept;
  ~DirectoryLock();

  /// The lock holds until this is closed in all processes that have it.
  int descriptor() const { return file_; }

 private:
  static std::optional<DirectoryLock> take(const std::filesystem::path& directory, int kind);
  explicit DirectoryLock(int file) : file_(file) {}

  int file_ = -1;
};

}  // namespace macrostep::server
