// A system of FMUs from a file: .ssp (an archive), .ssd, or OspSystemStructure.xml.
#pragma once

#include <filesystem>

#include "models/fmi/systems/system_structure.hpp"

namespace macrostep::models::fmi {

/// Whether the name of a file says that it is such a system.
bool is_system_file(const std::filesystem::path& file);

/// The sources of its components are files then: those of an archive are extracted into `scratch`,
/// an empty directory of the caller's. Throws FmuRefused, and std::system_error where a file cannot
/// be read or written.
SystemStructure open_system(const std::filesystem::path& file,
                            const std::filesystem::path& scratch);

}  // namespace macrostep::models::fmi
