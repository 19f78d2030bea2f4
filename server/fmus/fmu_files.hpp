// FMUs in a directory of ours, named by their content:
//
//   SHA-256/archive.fmu     as it came
//   SHA-256/files/          unpacked: what is described and run
//   incoming/…              what is on its way in or out
//
// Contract
//  1. A directory SHA-256 is whole: it comes and goes by renaming. What a killed process leaves
//     lies in `incoming`, and whoever opens the directory next removes it; what a living process
//     has there is locked and stays.
//  2. What is opened is what was added: the archive has the hash that it is named by, and the files
//     are those of the archive, else they are unpacked again. That is looked at once in a process,
//     and again when something of it has changed on the disk.
//  3. Several processes may use one directory at once; members may be called from any thread.
//  4. Nothing is ever named by what an archive or a client says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/problem/fmu_source.hpp"
#include "models/fmi/archive/archive.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "server/base/directory_lock.hpp"

namespace macrostep::server {

/// A directory below `incoming`, locked; removed with all in it unless it has been renamed.
class IncomingDirectory {
 public:
  explicit IncomingDirectory(const std::filesystem::path& incoming);
  ~IncomingDirectory();
  IncomingDirectory(IncomingDirectory&& other) noexcept;
  IncomingDirectory& operator=(IncomingDirectory&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// False if there is something under that name already.
  bool rename_to(const std::filesystem::path& target);

 private:
  std::optional<DirectoryLock> lock_;  // given up after the directory is removed
  std::filesystem::path path_;
};

/// An archive that arrives piece by piece. Gone with this object unless it is added.
class FmuUpload {
 public:
  FmuUpload(IncomingDirectory directory, std::uint64_t max_bytes);
  ~FmuUpload();
  FmuUpload(FmuUpload&& other) noexcept;
  FmuUpload& operator=(FmuUpload&&) = delete;

  /// Throws FmuRefused beyond the limit, std::system_error where it cannot be stored.
  void write(std::string_view bytes);

 private:
  friend class FmuFiles;
  IncomingDirectory directory_;
  std::uint64_t max_bytes_;
  std::uint64_t bytes_ = 0;
  int file_ = -1;
};

inline constexpr std::uint64_t unlimited_bytes = std::numeric_limits<std::uint64_t>::max();

/// An FMU that is not added, for it would make all of them larger than they may be.
class FmuStoreFull : public std::runtime_error {
 public:
  FmuStoreFull(std::uint64_t used, std::uint64_t needed)
      : std::runtime_error("there is no room for this FMU"),
        used_bytes(used),
        needed_bytes(needed) {}

  std::uint64_t used_bytes;
  std::uint64_t needed_bytes;  ///< for this one, as far as is known
};

class FmuFiles {
 public:
  /// Creates the directory, readable by its owner alone, and removes what killed processes left.
  explicit FmuFiles(std::filesystem::path directory, models::fmi::ArchiveLimits limits = {});

  FmuUpload begin_upload() const;
  struct Added {
    engine::FmuPointer fmu;
    std::uint64_t bytes = 0;
    bool is_new = false;
  };
  /// Checks and unpacks. Throws FmuRefused, FmuStoreFull, std::system_error.
  Added add(FmuUpload upload, std::uint64_t max_total_bytes = unlimited_bytes);
  /// Adds a file that stays where it is.
  Added add_copy(const std::filesystem::path& archive);

  /// Null if it is not there. Throws FmuRefused if its archive is damaged, std::system_error if
  /// something cannot be read, or not be unpacked again.
  engine::FmuPointer open(const std::string& sha256) const;
  /// What cannot be looked at may be there.
  bool has(const std::string& sha256) const;
  bool remove(const std::string& sha256);
  /// The hashes of all FMUs that are there.
  std::vector<std::string> hashes() const;
  /// The size of the archive as it came. Throws std::system_error where it is not there.
  std::uint64_t archive_bytes(const std::string& sha256) const;
  /// On the disk, of one and of all.
  std::uint64_t bytes_of(const std::string& sha256) const;
  std::uint64_t used_bytes() const;

  /// The archive of an FMU that some FmuFiles opened.
  static std::filesystem::path archive_of(const models::fmi::Fmu& fmu);
  const std::filesystem::path& directory() const { return directory_; }

 private:
  std::filesystem::path place_of(const std::string& sha256) const { return directory_ / sha256; }
  std::filesystem::path incoming() const { return directory_ / "incoming"; }
  Added unpack(IncomingDirectory& directory, std::uint64_t max_total_bytes);
  bool settle(IncomingDirectory& directory, const std::string& sha256);
  bool repair(const std::string& sha256) const;
  engine::FmuPointer remember(const std::string& sha256,
                              std::optional<std::int64_t> changed_ns) const;
  engine::FmuPointer open_or_remove(const std::string& sha256);

  std::filesystem::path directory_;
  models::fmi::ArchiveLimits limits_;
  struct Opened {
    engine::FmuPointer fmu;
    /// The latest change on the disk, when it was looked at.
    std::optional<std::int64_t> changed_ns;
  };
  mutable std::mutex mutex_;
  mutable std::map<std::string, Opened> opened_;  // a few, lest each job reads all their bytes
};

}  // namespace macrostep::server
