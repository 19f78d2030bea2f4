// What the library exports, and which version it says it is of.
#pragma once

#include <span>

#include "models/fmi/sequences/sequences.hpp"

namespace macrostep::models::fmi::calls {

std::span<const Sequence> library_sequences();

}  // namespace macrostep::models::fmi::calls
