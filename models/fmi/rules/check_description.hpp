// modelDescription.xml against the rules of FMI 2.0 and 3.0 (README.md lists them).
//
// The XML's own lists are read, not what read_model_description() makes of them: that completes
// what is missing and stops at the first thing it cannot use.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "models/fmi/archive/archive.hpp"
#include "models/fmi/description/finding.hpp"

namespace macrostep::models::fmi {

/// All that breaks a rule, in the order of the standard's chapters; a rule is told of at most
/// max_findings_of_a_rule times. Throws FmuRefused where the text is no XML of an FMU.
Findings check_description(std::string_view xml);

struct ArchiveCheck {
  std::string version;  ///< of FMI, as written; empty: none to be found
  Findings findings;
  std::optional<std::string> refused;  ///< why macrostep cannot use the FMU, if so
};

/// The archive, its libraries for this platform, and its description. What macrostep refuses for a
/// reason of its own (a limit, a platform that has no library) is a warning. Throws
/// std::system_error if the file cannot be read.
ArchiveCheck check_fmu_archive(const std::filesystem::path& archive,
                               const ArchiveLimits& limits = {});

}  // namespace macrostep::models::fmi
