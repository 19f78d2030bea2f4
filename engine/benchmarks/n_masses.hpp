// The built-in oscillator of n masses (2 … 16): m1 … m(n−1), each on its own spring and damper, own
// the springs to the last one, mn, and give it their forces. The residual power is the sum over
// their n − 1 bonds.
//
// Two groups, as a parameter has one default per group: `parts` is m1 … m(n−1), which together are
// m1 of the linear oscillator, and `last` is mn.
#pragma once

#include "engine/benchmarks/benchmark.hpp"

namespace macrostep::engine {

BuiltInProblem n_mass_oscillator();

}  // namespace macrostep::engine
