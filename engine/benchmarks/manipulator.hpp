// The built-in hydraulic manipulator: mechanics and one cylinder, coupled by the whole force of the
// actuator (force_displacement) or by that of its pressures alone (pressure_displacement, with the
// viscous force on the mechanical side).
#pragma once

#include "engine/benchmarks/benchmark.hpp"

namespace macrostep::engine {

BuiltInProblem hydraulic_manipulator();

}  // namespace macrostep::engine
