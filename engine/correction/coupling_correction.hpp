// What a master does to make up for the extrapolation of its inputs: at the end of a macro-step, or
// at its beginning to replace it.
#pragma once

#include <variant>

#include "engine/correction/energy_correction.hpp"
#include "engine/correction/linearly_implicit.hpp"
#include "engine/correction/signal_correction.hpp"

namespace macrostep::engine {

/// std::monostate: nothing.
using CouplingCorrection =
    std::variant<std::monostate, EnergyCorrection, SignalCorrection, LinearlyImplicit>;

}  // namespace macrostep::engine
