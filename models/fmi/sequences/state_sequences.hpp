// States saved, restored, turned into bytes and back; a restored state repeats what followed it.
#pragma once

#include <span>

#include "models/fmi/sequences/sequences.hpp"

namespace macrostep::models::fmi::calls {

std::span<const Sequence> state_sequences();

}  // namespace macrostep::models::fmi::calls
