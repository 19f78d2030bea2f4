// Which of an FMU's files is its library for this platform: Linux on x86-64.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi {

/// Bytes of a library's start that is_library wants.
inline constexpr std::size_t library_header_bytes = 64;

/// "binaries/linux64" or "binaries/x86_64-linux".
std::string_view platform_directory(Version version);

struct PlatformLibraries {
  std::optional<std::string> co_simulation;  ///< paths inside the archive
  std::optional<std::string> model_exchange;
  std::vector<std::string> notes;
};

/// Among the files of an archive. A library that is not named after the modelIdentifier is taken,
/// with a note, where it is the only one. Throws FmuRefused if no interface has a library, naming
/// the platforms there are.
PlatformLibraries find_libraries(const ModelDescription& model,
                                 const std::vector<std::string>& files);

/// Why the start of a file is none of a shared library of this platform (ELF, 64 bits, x86-64);
/// empty if it is.
std::string library_refusal(std::string_view header);

}  // namespace macrostep::models::fmi
