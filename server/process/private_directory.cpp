#include "server/process/private_directory.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>

namespace macrostep::server {

namespace {

namespace fs = std::filesystem;

/// Followed by the number of the process that owns it.
constexpr const char* prefix = "macrostep-worker-";

bool is_of_dead_process(const std::string& name) {
  const std::string start = prefix;
  pid_t owner = 0;
  if (!name.starts_with(start) ||
      std::from_chars(name.data() + start.size(), name.data() + name.size(), owner).ec !=
          std::errc()) {
    return false;
  }
  return owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH;
}

Descriptor opened(const fs::path& directory) {
  return Descriptor(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool try_lock(const Descriptor& directory) {
  return directory.get() >= 0 && ::flock(directory.get(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

PrivateDirectory::PrivateDirectory() {
  [[maybe_unused]] static const bool once = (remove_stale_directories(), true);
  std::error_code error;
  const auto folder = fs::temp_directory_path(error);
  if (error) {
    throw std::system_error(error, "the folder for temporary files (TMPDIR)");
  }
  std::string name = (folder / (prefix + std::to_string(::getpid()) + "-XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw_errno("making a directory for a worker process");
  }
  path_ = name;
  lock_ = opened(path_);
  if (!try_lock(lock_)) {
    const int why = errno;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    throw std::system_error(why, std::generic_category(), "locking " + name);
  }
}

PrivateDirectory::~PrivateDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void remove_stale_directories() {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::temp_directory_path(ignored), ignored)) {
    if (is_of_dead_process(entry.path().filename().string()) &&
        try_lock(opened(entry.path()))) {
      fs::remove_all(entry.path(), ignored);
    }
  }
}

}  // namespace macrostep::server
