// The mass on a cylinder fed past a relief valve, as a problem.
#pragma once

#include "engine/benchmarks/benchmark.hpp"

namespace macrostep::engine {

BuiltInProblem relief_valve();

}  // namespace macrostep::engine
