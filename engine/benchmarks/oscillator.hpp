// The built-in oscillators of two masses m1 and m2 on springs and dampers, in three couplings
// (models/oscillator/README.md):
//
//   force_displacement          one mass owns the coupling spring and gives the force on the other
//   displacement_displacement   both know the spring; each computes the force on itself
//   force_force                 the spring is a subsystem of its own, `coupling`, between the two
#pragma once

#include "engine/benchmarks/benchmark.hpp"

namespace macrostep::engine {

BuiltInProblem linear_oscillator();
BuiltInProblem stiff_oscillator();  ///< m2 owns the spring; exact subsystems
BuiltInProblem nonlinear_oscillator();

}  // namespace macrostep::engine
