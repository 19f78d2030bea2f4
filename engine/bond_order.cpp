#include "engine/bond_order.hpp"

#include <algorithm>
#include <vector>

namespace macrostep::engine {

namespace {

/// Degrees of all inputs that decide the effort and the flow of a bond.
std::vector<int> degrees(const CouplingGraph& graph, const GraphBond& bond,
                         Extrapolation extrapolation) {
  std::vector<int> list;
  if (bond.computed) {
    const auto& range = graph.input_ranges[bond.subsystem];
    for (std::size_t i = range.first; i < range.first + range.count; ++i) {
      list.push_back(degree_of(graph.inputs[i], extrapolation));
    }
  } else {
    for (const auto& component : bond.components) {
      list.push_back(degree_of(graph.inputs[component.effort_input], extrapolation));
      list.push_back(degree_of(graph.inputs[component.flow_input], extrapolation));
    }
  }
  return list;
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
    for (const int degree : degrees(graph, bond, extrapolation)) {
      lowest = std::min(lowest, degree);
    }
  }
  return lowest;
}

bool is_held(const CouplingGraph& graph, const GraphBond& bond, Extrapolation extrapolation) {
  return std::ranges::all_of(degrees(graph, bond, extrapolation),
                             [](int degree) { return degree == 0; });
}

}  // namespace macrostep::engine
