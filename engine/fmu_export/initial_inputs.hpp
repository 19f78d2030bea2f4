// What the subsystems of a coupling receive from each other at the start.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/problem/problem.hpp"

namespace macrostep::engine {

/// By subsystem, in the order of its input ports, with external inputs at their initial values and
/// each subsystem under its first integrator. Zeros where no consistent values are found.
std::map<std::string, std::vector<double>> initial_inputs(const Problem& problem,
                                                          const Coupling& coupling);

}  // namespace macrostep::engine
