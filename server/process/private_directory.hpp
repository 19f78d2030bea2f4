// The working directory of code that runs without a sandbox: gone with its owner, and with the next
// start of the program if the owner was killed.
#pragma once

#include <filesystem>

namespace macrostep::server {

class PrivateDirectory {
 public:
  /// Throws std::system_error.
  PrivateDirectory();
  ~PrivateDirectory();
  PrivateDirectory(const PrivateDirectory&) = delete;
  PrivateDirectory& operator=(const PrivateDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Removes those of processes that are no more.
void remove_stale_directories();

}  // namespace macrostep::server
