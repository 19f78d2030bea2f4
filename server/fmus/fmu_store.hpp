// The FMUs of a server: their files (fmu_files.hpp) and their rows in the database.
//
// The files are the truth: what is there without a row is listed again when the store is opened, a
// row without files goes.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "db/store/store.hpp"
#include "engine/problem/fmu_source.hpp"
#include "models/fmi/archive/archive.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "server/fmus/fmu_files.hpp"

namespace macrostep::server {

/// What all FMUs of a server may take on the disk unless it is told.
inline constexpr std::uint64_t default_fmu_store_bytes = std::uint64_t{20} << 30;

/// An FMU of the store that the machine does not let be read, as for its permissions. what() names
/// paths.
class FmuUnreadable : public std::system_error {
 public:
  FmuUnreadable(std::string which, const std::system_error& cause)
      : std::system_error(cause.code()), sha256(std::move(which)), text_(cause.what()) {}
  const char* what() const noexcept override { return text_.c_str(); }

  std::string sha256;

 private:
  std::string text_;
};

/// Beside the database: FILE-fmus.
std::filesystem::path fmu_directory_of(const std::filesystem::path& database);

class FmuStore {
 public:
  FmuStore(db::Store& store, const std::filesystem::path& directory,
           std::uint64_t max_bytes = default_fmu_store_bytes,
           models::fmi::ArchiveLimits limits = {});

  /// One at a time, for checking an archive takes a thread for seconds; null while there is
  /// another.
  std::shared_ptr<FmuUpload> begin_upload();
  struct Added {
    db::FmuRow row;
    engine::FmuPointer fmu;
    bool is_new = false;
  };
  /// Ends the upload. `file_name` is a label; one that is empty or too long is cut or replaced by
  /// the model's name. Throws FmuRefused, FmuStoreFull, std::system_error, db::Error, and keeps
  /// nothing then.
  Added add(FmuUpload& upload, std::string_view file_name);
  /// Adds an FMU of other FmuFiles, however much there is already.
  Added add(const models::fmi::Fmu& fmu);

  /// Whether its files are there, whatever is the matter with them.
  bool has(const std::string& sha256) const { return files_.has(sha256); }
  /// Finds an FMU by its hash, or by the name of a file or model that only one FMU has; else the
  /// reason. Throws FmuUnreadable where the machine fails.
  std::variant<engine::FmuPointer, std::string> find(const std::string& called) const;
  /// find() for jobs; the store must outlive it.
  engine::FmuSource source() const;

  /// In use: by a search or an analysis that has not ended.
  db::FmuRemoval remove(const std::string& sha256);

  const db::Store& rows() const { return store_; }
  const models::fmi::ArchiveLimits& limits() const { return limits_; }
  /// On the disk, with what is unpacked.
  std::uint64_t used_bytes() const { return files_.used_bytes(); }
  std::uint64_t max_bytes() const { return max_bytes_; }
  /// The largest on the disk, largest first.
  std::vector<std::pair<db::FmuRow, std::uint64_t>> largest(std::size_t count) const;

 private:
  void reconcile();
  Added list(FmuFiles::Added added, std::string_view file_name);

  db::Store& store_;
  std::uint64_t max_bytes_;
  models::fmi::ArchiveLimits limits_;
  FmuFiles files_;
  /// Held while an FMU comes or goes: its files and its row belong together.
  std::mutex changes_;
  std::shared_ptr<std::atomic<bool>> uploading_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace macrostep::server
