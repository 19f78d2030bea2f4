// An FMU that macrostep cannot use for a reason of its own: it is larger than macrostep takes, or
// for another platform. That says nothing of whether it follows its standard.
#pragma once

#include "models/fmi/xml/fmu_refused.hpp"

namespace macrostep::models::fmi {

struct OwnRefusal : FmuRefused {
  using FmuRefused::FmuRefused;
};

}  // namespace macrostep::models::fmi
