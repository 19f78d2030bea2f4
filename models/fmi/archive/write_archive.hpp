// Writes zip archives, as FMUs and system structures are: the same bytes for the same entries.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace macrostep::models::fmi {

struct ArchiveEntry {
  std::string name;  ///< "binaries/linux64/crane.so"
  std::span<const std::byte> content;
};

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// Throws std::runtime_error without memory.
std::string archive_of(std::span<const ArchiveEntry> entries);

}  // namespace macrostep::models::fmi
