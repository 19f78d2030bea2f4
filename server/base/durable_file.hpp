// Files that are whole or not there, for readers on other machines and after a crash.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace macrostep::server {

/// In the place of a file is something else: a pipe, a device, a directory.
class NoRegularFile : public std::runtime_error {
 public:
  explicit NoRegularFile(const std::filesystem::path& file)
      : std::runtime_error(file.string() + " is not a regular file") {}
};

/// Writes beside it, syncs, renames, syncs the folder. Throws std::system_error, also where
/// something else than a file has that name.
void write_durably(const std::filesystem::path& file, std::string_view text);

/// Waits for nobody at the other end of a pipe. Throws NoRegularFile, or std::system_error, also
/// for more than 1 GB.
std::string read_whole(const std::filesystem::path& file);

}  // namespace macrostep::server
