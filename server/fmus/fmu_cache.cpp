#include "server/fmus/fmu_cache.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include "models/fmi/archive/sha256.hpp"

namespace macrostep::server {

namespace {

namespace fs = std::filesystem;

/// Another process may take away what this one has just unpacked, before it holds it: then again.
constexpr int max_cache_attempts = 10;

struct Unpacked {
  fs::file_time_type used;
  std::uint64_t bytes = 0;
  std::string sha256;
};

}  // namespace

FmuCache::FmuCache(const fs::path& directory, std::uint64_t max_bytes)
    : files_(directory), max_bytes_(max_bytes) {}

engine::FmuPointer FmuCache::cache(const fs::path& archive) {
  for (int attempt = 0; attempt < max_cache_attempts; ++attempt) {
    const auto added = files_.add_copy(archive);
    if (!added.fmu || !hold(added.fmu->sha256)) {
      continue;
    }
    if (added.is_new) {
      evict();
    }
    return files_.open(added.fmu->sha256);
  }
  throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                          files_.directory().string());
}

engine::FmuPointer FmuCache::open(const std::string& sha256) {
  return models::fmi::is_sha256(sha256) && hold(sha256) ? files_.open(sha256) : nullptr;
}

/// False if it is not there.
bool FmuCache::hold(const std::string& sha256) {
  if (held_.contains(sha256)) {
    return true;
  }
  auto lock = DirectoryLock::shared(files_.directory() / sha256);
  return lock && held_.emplace(sha256, std::move(*lock)).second;
}

void FmuCache::evict() {
  std::vector<Unpacked> all;
  std::uint64_t bytes = 0;
  for (const auto& sha256 : files_.hashes()) {
    std::error_code gone;
    const auto used = fs::last_write_time(files_.directory() / sha256, gone);
    if (!gone) {
      all.push_back({used, files_.bytes_of(sha256), sha256});
      bytes += all.back().bytes;
    }
  }
  std::ranges::sort(all, {}, &Unpacked::used);
  for (const auto& one : all) {
    if (bytes <= max_bytes_) {
      return;
    }
    // Nobody can begin to use it while it is held alone. Our own locks count like others'.
    if (const auto alone = DirectoryLock::exclusive(files_.directory() / one.sha256)) {
      files_.remove(one.sha256);
      bytes -= one.bytes;
    }
  }
}

std::optional<fs::path> fmu_cache_directory() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  // As XDG has it, a relative path in the variable does not count.
  if (const auto cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) {
    return cache / "macrostep" / "fmus";
  }
  if (const auto home = variable("HOME"); home.is_absolute()) {
    return home / ".cache" / "macrostep" / "fmus";
  }
  return std::nullopt;
}

}  // namespace macrostep::server
