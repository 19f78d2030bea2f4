// What a master does at the end of a macro-step to make up for the extrapolation of its inputs.
#pragma once

#include <variant>

#include "engine/energy_correction.hpp"
#include "engine/signal_correction.hpp"

namespace macrostep::engine {

/// std::monostate: nothing.
using CouplingCorrection = std::variant<std::monostate, EnergyCorrection, SignalCorrection>;

}  // namespace macrostep::engine
