// Where the FMUs that jobs name come from: a store, or files on the command line.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "models/fmi/archive/fmu.hpp"

namespace macrostep::engine {

using FmuPointer = models::fmi::FmuPointer;

/// The FMU that a job calls so (SHA-256, name or file), or why there is none. An empty function
/// knows no FMUs at all.
using FmuSource = std::function<std::variant<FmuPointer, std::string>(const std::string& called)>;

}  // namespace macrostep::engine
