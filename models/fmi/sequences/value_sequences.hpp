// Every variable read and set in every state where that is allowed.
#pragma once

#include <span>

#include "models/fmi/sequences/sequences.hpp"

namespace macrostep::models::fmi::calls {

std::span<const Sequence> value_sequences();

}  // namespace macrostep::models::fmi::calls
