// The FMUs of a search in the folder of its chunks, for every machine that runs some:
//
//   fmus/SHA-256/     of the archive, as jobs name it: the files unpacked from it
//
// Manifests say by a hash of all those files what is to be there, and how their code is run.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/plan/plan.hpp"
#include "engine/problem/fmu_source.hpp"
#include "server/process/foreign_settings.hpp"

namespace macrostep::server {

/// What a chunk needs to run code that is not ours.
struct ForeignChunk {
  std::map<std::string, std::string> fmus;  ///< SHA-256 of the archive, and hash of its files
  ForeignSettings settings;                 ///< of whoever started the search
};

/// Hashes the names and contents of all files below a directory. Throws std::runtime_error where
/// there is anything but files and directories, or something cannot be read.
std::string hash_of_files(const std::filesystem::path& directory);

ForeignChunk foreign_chunk(const engine::Plan& plan, const ForeignSettings& settings);

/// Puts those of the plan into the folder, unless they are there as they should. Throws
/// std::system_error.
void share_fmus(const engine::Plan& plan, const ForeignChunk& wanted,
                const std::filesystem::path& folder);

/// From the folder. What is missing, or not what the manifest says, is refused.
engine::FmuSource shared_fmus(ForeignChunk wanted, const std::filesystem::path& folder);

}  // namespace macrostep::server
