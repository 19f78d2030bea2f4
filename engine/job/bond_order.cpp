#include "engine/job/bond_order.hpp"

#include <algorithm>

namespace macrostep::engine {

namespace {

/// Calls use(degree) for all inputs that decide the effort and the flow of a bond.
template <class Use>
void for_each_degree(const CouplingGraph& graph, const GraphBond& bond, Extrapolation extrapolation,
                     const Use& use) {
  if (bond.computed) {
    const auto& range = graph.input_ranges[bond.subsystem];
    for (std::size_t i = range.first; i < range.first + range.count; ++i) {
      use(degree_of(graph.inputs[i], extrapolation));
    }
  } else {
    for (const auto& component : bond.components) {
      use(degree_of(graph.inputs[component.effort_input], extrapolation));
      use(degree_of(graph.inputs[component.flow_input], extrapolation));
    }
  }
}

}  // namespace

int degree_of(const GraphInput& input, Extrapolation extrapolation) {
  if (!input.extrapolate) {
    return 0;
  }
  const int chain_depth = integrates_derivatives(extrapolation) ? input.chain_depth : 0;
  return std::max(0, order(extrapolation) - chain_depth);
}

int bond_order(const CouplingGraph& graph, Extrapolation extrapolation) {
  int lowest = order(extrapolation);
  for (const auto& bond : graph.bonds) {
    for_each_degree(graph, bond, extrapolation,
                    [&](int degree) { lowest = std::min(lowest, degree); });
  }
  return lowest;
}

bool is_held(const CouplingGraph& graph, const GraphBond& bond, Extrapolation extrapolation) {
  int highest = 0;
  for_each_degree(graph, bond, extrapolation,
                  [&](int degree) { highest = std::max(highest, degree); });
  return highest == 0;
}

}  // namespace macrostep::engine
