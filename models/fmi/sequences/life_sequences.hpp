// Instances made, run, reset and freed in every state, one or two at a time, many after each other.
#pragma once

#include <span>

#include "models/fmi/sequences/sequences.hpp"

namespace macrostep::models::fmi::calls {

std::span<const Sequence> life_sequences();

}  // namespace macrostep::models::fmi::calls
