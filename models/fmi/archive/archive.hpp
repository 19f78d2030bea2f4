// An FMU's archive: looked through before anything of it is written, then unpacked.
//
// An archive comes from anywhere. All of it is inflated once, counting bytes as they come, and its
// names, kinds of files, check sums, description and libraries are looked at; what is wrong is a
// sentence in FmuRefused, and nothing has been written by then. Only regular files and directories
// are ever created, below a directory of ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi {

struct ArchiveLimits {
  std::uint64_t bytes = std::uint64_t{1} << 30;           ///< of the archive as it is
  std::uint64_t inflated_bytes = std::uint64_t{2} << 30;  ///< of all its files
  std::size_t entries = 50'000;
  /// Inflated to compressed size of one file; where it is small, everything compresses well.
  std::uint64_t ratio = 400;
  std::uint64_t ratio_from_bytes = std::uint64_t{16} << 20;
};

struct CheckedArchive {
  std::string sha256;
  std::uint64_t bytes = 0;
  std::uint64_t inflated_bytes = 0;
  std::size_t files = 0;
  ModelDescription description;  ///< its notes tell what was odd of the archive, too
  std::optional<std::string> co_simulation_library;  ///< paths inside the archive
  std::optional<std::string> model_exchange_library;
};

/// What the store calls it. Throws FmuRefused if it is no zip archive or too large.
std::string archive_sha256(const std::filesystem::path& archive, const ArchiveLimits& limits = {});

/// Writes nothing. Throws FmuRefused; std::system_error if the file cannot be read.
CheckedArchive check_archive(const std::filesystem::path& archive,
                             const ArchiveLimits& limits = {});

/// The FMU as it is described before it is unpacked: without a directory, its libraries as they are
/// called inside the archive. Throws as check_archive().
Fmu inspect_archive(const std::filesystem::path& archive, const ArchiveLimits& limits = {});

/// Checks, then writes the archive's files below `directory`, which must not exist; it is gone
/// again if that fails. Throws FmuRefused and std::system_error.
Fmu unpack_archive(const std::filesystem::path& archive, const std::filesystem::path& directory,
                   const ArchiveLimits& limits = {});

/// Whether the directory has the files of an archive unpacked before, byte for byte, and no others.
/// Throws FmuRefused and std::system_error of the archive.
bool is_unpacked(const std::filesystem::path& archive, const std::filesystem::path& directory,
                 const ArchiveLimits& limits = {});

}  // namespace macrostep::models::fmi
