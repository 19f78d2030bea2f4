#include "db/schema/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "db/schema/error.hpp"
#include "db/schema/side_files.hpp"

namespace macrostep::db {
namespace {

// The holder writes its id just after it has locked: a reader in between waits this often.
constexpr int holder_attempts = 20;
constexpr useconds_t holder_wait_us = 5000;
constexpr std::size_t holder_maximum_bytes = 32;

std::string holder_of(int descriptor) {
  for (int attempt = 0; attempt < holder_attempts; ++attempt) {
    char text[holder_maximum_bytes];
    const ssize_t size = pread(descriptor, text, sizeof text, 0);
    if (size > 1 && text[size - 1] == '\n') {
      return "process " + std::string(text, static_cast<std::size_t>(size - 1));
    }
    usleep(holder_wait_us);
  }
  return "another process";
}

[[noreturn]] void fail(const std::filesystem::path& path, const char* action) {
  const int code = errno;
  const bool fixed = code == EROFS || code == EACCES;
  throw Error(ErrorKind::system,
              std::string("cannot ") + action + " " + path.string() + ": " +
                  std::generic_category().message(code) +
                  (fixed ? "; a database that is to be written needs a folder that can be: copy it "
                           "to one, or name another file"
                         : ""),
              code);
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& database) {
  // The lock hangs on the name: a second name for the same file would let a second writer in.
  std::error_code ignored;
  if (std::filesystem::hard_link_count(database, ignored) > 1 && !ignored) {
    throw Error(ErrorKind::locked, "database " + database.string() +
                                       " has a second name (hard link), which may be in use; "
                                       "copy it instead");
  }
  const std::filesystem::path path = beside(database, lock_ending);
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) {
    fail(path, "open lock file");
  }
  try {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) {
        fail(path, "lock");
      }
      throw Error(ErrorKind::locked, "database " + database.string() + " is being written by " +
                                         holder_of(descriptor_) +
                                         ": wait until that ends, stop it, or use another file");
    }
    const std::string holder = std::to_string(getpid()) + "\n";
    if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, holder.data(), holder.size(), 0) !=
                                              static_cast<ssize_t>(holder.size())) {
      fail(path, "write lock file");
    }
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

FileLock::~FileLock() {
  // An id left behind by a clean end would only mislead whoever looks at the file.
  [[maybe_unused]] const int ignored = ftruncate(descriptor_, 0);
  close(descriptor_);
}

}  // namespace macrostep::db
