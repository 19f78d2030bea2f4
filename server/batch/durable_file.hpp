// Files that are whole or not there, for readers on other machines and after a crash.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace macrostep::server::batch {

/// Writes beside it, syncs, renames, syncs the folder. Throws std::system_error, also where
/// something else than a file has that name.
void write_durably(const std::filesystem::path& file, std::string_view text);

/// Throws std::system_error, also for more than 1 GB.
std::string read_whole(const std::filesystem::path& file);

}  // namespace macrostep::server::batch
