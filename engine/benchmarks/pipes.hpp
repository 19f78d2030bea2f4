// The built-in pipes and volumes: `left` and `right`, coupled by pressure and flow.
#pragma once

#include "engine/benchmarks/benchmark.hpp"

namespace macrostep::engine {

BuiltInProblem pipe_volume();

}  // namespace macrostep::engine
