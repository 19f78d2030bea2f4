// Where an instance finds the files of its FMU, as the two versions of FMI ask for it, and which
// library and flags belong to an interface.
#pragma once

#include <filesystem>
#include <string>

#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/instance/instance.hpp"

namespace macrostep::models::fmi {

/// FMI 2: "file:///…/resources", with what a URI does not allow percent-encoded.
std::string resource_uri(const std::filesystem::path& directory);
/// FMI 3: "…/resources/".
std::string resource_directory(const std::filesystem::path& directory);

/// Throws FmuRefused where the FMU does not have this interface, or no library for it here.
const Interface& interface_of(const Fmu& fmu, InterfaceKind kind);
const std::filesystem::path& library_of(const Fmu& fmu, InterfaceKind kind);

}  // namespace macrostep::models::fmi
