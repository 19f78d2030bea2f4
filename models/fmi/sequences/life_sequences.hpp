// Instances made, run, reset and freed in every state, one or two at a time, many after each other.
#pragma once

#include <span>

#include "models/fmi/sequences/sequences.hpp"

namespace macrostep::models::fmi::calls {

/// What every importer does: an FMU that fails it can be used for nothing.
inline constexpr const char* plain_run = "a run with held inputs";

std::span<const Sequence> life_sequences();

}  // namespace macrostep::models::fmi::calls
