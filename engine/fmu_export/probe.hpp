// What the equations of a subsystem depend on, found by evaluating them: at a few states near the
// start, under inputs near the first ones, with one thing changed at a time. The equations are
// smooth almost everywhere, so that what never shows there does not exist.
#pragma once

#include <span>
#include <vector>

#include "engine/problem/problem.hpp"

namespace macrostep::engine {

/// Values of coupling inputs and of external inputs near which to look.
struct ProbeInputs {
  std::vector<double> u, w;
};

/// By output, whether it depends on each coupling input and then on each external input.
std::vector<std::vector<bool>> direct_dependencies(const SubsystemDefinition& definition,
                                                   const ProbeInputs& inputs);

/// Whether both have the same initial state, derivatives and outputs.
bool same_equations(const SubsystemDefinition& one, const SubsystemDefinition& other,
                    const ProbeInputs& inputs);

}  // namespace macrostep::engine
