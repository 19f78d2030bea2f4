// The built-in coupled pendula: their tips exchange two-component forces and motions.
#pragma once

#include "engine/benchmarks/benchmark.hpp"

namespace macrostep::engine {

BuiltInProblem coupled_pendula();

}  // namespace macrostep::engine
