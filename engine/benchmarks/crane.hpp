// The built-in cranes: mechanics coupled with one or two hydraulic actuators, force–displacement.
#pragma once

#include "engine/benchmarks/benchmark.hpp"

namespace macrostep::engine {

BuiltInProblem single_actuator_crane();
BuiltInProblem double_actuator_crane();

}  // namespace macrostep::engine
