#include "server/process/private_directory.hpp"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>

#include "server/base/descriptor.hpp"

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

}  // namespace

PrivateDirectory::PrivateDirectory() {
  std::string name =
      (fs::temp_directory_path() / (prefix + std::to_string(::getpid()) + "-XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw_errno("making a directory for a worker process");
  }
  path_ = name;
}

PrivateDirectory::~PrivateDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void remove_stale_directories() {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::temp_directory_path(ignored), ignored)) {
    if (is_of_dead_process(entry.path().filename().string())) {
      fs::remove_all(entry.path(), ignored);
    }
  }
}

}  // namespace macrostep::server
