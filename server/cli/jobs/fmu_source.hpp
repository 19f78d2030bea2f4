// FMUs that a job on the command line names: files, from the job's directory on, or the SHA-256 of
// one that has been used before.
#pragma once

#include <filesystem>

#include "engine/problem/fmu_source.hpp"

namespace macrostep::server {

/// Files are kept and unpacked in the user's cache (server/fmus/fmu_files.hpp) once; nothing
/// of them is run.
engine::FmuSource fmus_from(const std::filesystem::path& directory);

}  // namespace macrostep::server
