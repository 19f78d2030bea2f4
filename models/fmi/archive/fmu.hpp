// An FMU as it lies unpacked on this machine: its description and where its files are.
//
// Built once per FMU and shared by everything that describes or runs it; nothing here loads its
// code.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi {

struct Fmu {
  std::string sha256;  ///< of the archive, 64 hexadecimal digits
  ModelDescription description;
  std::filesystem::path directory;  ///< unpacked: modelDescription.xml, binaries/, resources/
  /// Shared libraries for this platform; absent if the archive has none for the interface.
  std::optional<std::filesystem::path> co_simulation_library;
  std::optional<std::filesystem::path> model_exchange_library;
};

using FmuPointer = std::shared_ptr<const Fmu>;

/// The FMU of an archive unpacked before: its description read again, its libraries found. Throws
/// FmuRefused.
Fmu open_unpacked(const std::filesystem::path& directory, std::string sha256);

}  // namespace macrostep::models::fmi
