#include "server/base/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace macrostep::server {

std::optional<DirectoryLock> DirectoryLock::take(const std::filesystem::path& directory, int kind) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) {
    return std::nullopt;
  }
  DirectoryLock lock(file);
  int taken = 0;
  do {
    taken = ::flock(file, kind);
  } while (taken != 0 && errno == EINTR);
  // Whoever held it before may have renamed it.
  struct stat opened {};
  struct stat named {};
  const bool ours = taken == 0 && ::fstat(file, &opened) == 0 &&
                    ::stat(directory.c_str(), &named) == 0 && opened.st_ino == named.st_ino;
  return ours ? std::optional(std::move(lock)) : std::nullopt;
}

std::optional<DirectoryLock> DirectoryLock::exclusive(const std::filesystem::path& directory) {
  return take(directory, LOCK_EX | LOCK_NB);
}

std::optional<DirectoryLock> DirectoryLock::shared(const std::filesystem::path& directory) {
  auto lock = take(directory, LOCK_SH);
  if (lock) {
    ::futimens(lock->file_, nullptr);
  }
  return lock;
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)) {}

DirectoryLock& DirectoryLock::operator=(DirectoryLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

DirectoryLock::~DirectoryLock() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

}  // namespace macrostep::server
