// FMUs that the command line has unpacked, kept with their archives for the next time, up to a
// limit.
//
// What a process uses it holds until it ends, by a lock (directory_lock.hpp). Beyond the limit goes
// what nobody holds, the least recently used first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "engine/problem/fmu_source.hpp"
#include "server/base/directory_lock.hpp"
#include "server/fmus/fmu_files.hpp"

namespace macrostep::server {

/// The limit of all archives together with what is unpacked.
inline constexpr std::uint64_t max_cached_bytes = std::uint64_t{5} << 30;

class FmuCache {
 public:
  /// Throws what FmuFiles does.
  explicit FmuCache(const std::filesystem::path& directory,
                    std::uint64_t max_bytes = max_cached_bytes);

  /// Takes a file that stays where it is; unpacks it unless that has been done. Throws FmuRefused,
  /// std::system_error.
  engine::FmuPointer cache(const std::filesystem::path& archive);
  /// Null if it is not there. Throws what FmuFiles does.
  engine::FmuPointer open(const std::string& sha256);

 private:
  bool hold(const std::string& sha256);
  void evict();

  FmuFiles files_;
  std::uint64_t max_bytes_;
  std::map<std::string, DirectoryLock> held_;  ///< by SHA-256
};

/// Where the command line has it: below XDG_CACHE_HOME or ~/.cache. Nothing if there is no home.
std::optional<std::filesystem::path> fmu_cache_directory();

}  // namespace macrostep::server
