#include "engine/residual.hpp"

#include <cmath>

namespace macrostep::engine {

std::int64_t first_counted_macro_step(Extrapolation extrapolation) {
  return 2 * (order(extrapolation) + 1);
}

ResidualSums::ResidualSums(const CouplingGraph& graph, Extrapolation extrapolation,
                           double macro_step_s)
    : first_counted_(first_counted_macro_step(extrapolation)), macro_step_s_(macro_step_s) {
  const auto is_held = [&](std::size_t input) {
    return degree_of(graph.input[input], extrapolation) == 0;
  };
  for (const auto& bond : graph.bonds) {
    bonds_.push_back(
        {.ports = bond, .held = is_held(bond.effort_input) && is_held(bond.flow_input)});
  }
}

void ResidualSums::add(std::int64_t macro_step, std::span<const double> y,
                       std::span<const double> u, double share) {
  const bool counts = macro_step >= first_counted_;
  const double weight = share * macro_step_s_;
  double sum_j = 0;
  power_w_ = 0;
  for (auto& bond : bonds_) {
    const auto& ports = bond.ports;
    const double into_flow_side = u[ports.effort_input] * y[ports.flow_output];
    const double from_effort_side = u[ports.flow_input] * y[ports.effort_output];
    const double power_w = ports.factor * (into_flow_side - from_effort_side);
    const double energy_j = weight * (bond.held ? power_w : (bond.power_w + power_w) / 2);
    bond.power_w = power_w;
    power_w_ += power_w;
    sum_j += energy_j;
    if (counts) {
      bond.residual_j += std::abs(energy_j);
      transmitted_j_ += weight * std::abs(ports.factor) *
                        (std::abs(into_flow_side) + std::abs(from_effort_side)) / 2;
    }
  }
  (counts ? residual_j_ : startup_residual_j_) += std::abs(sum_j);
}

std::vector<double> ResidualSums::bond_residuals_j() const {
  std::vector<double> sums;
  for (const auto& bond : bonds_) {
    sums.push_back(bond.residual_j);
  }
  return sums;
}

}  // namespace macrostep::engine
