// The working directory of code that runs without a sandbox. It is removed when its owner is
// destroyed or, where that process was killed, by the next process that makes one.
#pragma once

#include <filesystem>

#include "server/base/descriptor.hpp"

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
  Descriptor lock_;  ///< of the directory, for as long as it is in use
};

/// Removes those of processes that are no more and that nobody has locked: the process may live in
/// another container that shares this folder, where this one does not see it. The first
/// PrivateDirectory of a process does so.
void remove_stale_directories();

}  // namespace macrostep::server
