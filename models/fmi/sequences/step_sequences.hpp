// What co-simulation has beside plain steps: other sizes, derivatives of inputs and outputs,
// intermediate updates, event mode, early returns.
#pragma once

#include <span>

#include "models/fmi/sequences/sequences.hpp"

namespace macrostep::models::fmi::calls {

std::span<const Sequence> step_sequences();

}  // namespace macrostep::models::fmi::calls
