#include "engine/cosim/interface_energy.hpp"

#include <algorithm>

namespace macrostep::engine {

InterfaceEnergy::InterfaceEnergy(const CouplingGraph& graph, double macro_step_s)
    : graph_(graph),
      macro_step_s_(macro_step_s),
      y_(graph.output_count),
      y_exchanged_(graph.output_count) {}

void InterfaceEnergy::start(std::span<const double> y, std::span<const double> y_exchanged) {
  std::ranges::copy(y, y_.begin());
  std::ranges::copy(y_exchanged, y_exchanged_.begin());
  total_j_ = 0;
}

void InterfaceEnergy::add(const End& end) {
  for (const auto& bond : graph_.bonds) {
    if (bond.computed) {
      continue;
    }
    double power_w = 0;
    for (const auto& at : bond.components) {
      const double effort_at_start = y_[at.effort_output] + end.offsets[at.effort_input];
      const double flow_at_start = y_[at.flow_output] + end.offsets[at.flow_input];
      power_w += effort_at_start * y_[at.flow_output] +
                 end.applied[at.effort_input] * end.y[at.flow_output] -
                 flow_at_start * y_exchanged_[at.effort_output] -
                 end.applied[at.flow_input] * end.y[at.effort_output];
    }
    total_j_ += bond.factor * macro_step_s_ / 2 * power_w;
  }
  std::ranges::copy(end.y_next, y_.begin());
  std::ranges::copy(end.y_exchanged, y_exchanged_.begin());
}

}  // namespace macrostep::engine
