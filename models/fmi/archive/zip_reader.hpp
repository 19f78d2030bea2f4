// A zip archive read entry by entry; the only place that includes libzip's types.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct zip;

namespace macrostep::models::fmi {

struct ZipEntry {
  std::uint64_t index = 0;
  std::string name;
  std::uint64_t compressed_bytes = 0;
  std::uint64_t declared_bytes = 0;  ///< inflated, as the archive says
  bool is_directory = false;
};

/// One open archive: every read is of the file as it was opened, whatever its name means later.
class ZipReader {
 public:
  /// Throws FmuRefused if it is no zip archive or has more than `max_bytes`.
  ZipReader(const std::filesystem::path& archive, std::uint64_t max_bytes);
  ~ZipReader();
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  std::string sha256() const;
  std::uint64_t entry_count() const;

  /// Throws FmuRefused for what is neither a plain file nor a directory, is encrypted, or
  /// compressed by another method than deflation.
  ZipEntry entry(std::uint64_t index) const;

  /// Hands on the inflated bytes piece by piece. Throws FmuRefused if they are damaged.
  void inflate(const ZipEntry& entry,
               const std::function<void(std::string_view piece)>& take) const;

 private:
  int file_ = -1;
  std::uint64_t bytes_ = 0;
  zip* zip_ = nullptr;
};

}  // namespace macrostep::models::fmi
