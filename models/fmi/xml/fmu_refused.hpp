// Why an FMU cannot be used, as a sentence for its user.
#pragma once

#include <string>

#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

/// Thrown where an FMU is read; in a trial that tries it all the same, the end of that trial.
struct FmuRefused : SubsystemFailed {
  using SubsystemFailed::SubsystemFailed;
};

}  // namespace macrostep::models::fmi
