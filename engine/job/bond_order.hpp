// The degree at which an extrapolation continues inputs, and with them power bonds.
#pragma once

#include "engine/job/extrapolation.hpp"
#include "engine/problem/coupling_graph.hpp"

namespace macrostep::engine {

/// Degree of the polynomial that continues an input: 0 if it is held; i1 and i2 integrate an input
/// further down its chain of derivatives fewer times.
int degree_of(const GraphInput& input, Extrapolation extrapolation);

/// p: the lowest order at which any input of a bond is continued.
int bond_order(const CouplingGraph& graph, Extrapolation extrapolation);

/// Whether all inputs that the bond depends on are held.
bool is_held(const CouplingGraph& graph, const GraphBond& bond, Extrapolation extrapolation);

}  // namespace macrostep::engine
