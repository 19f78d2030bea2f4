#include "engine/cosim/residual.hpp"

#include <algorithm>
#include <cmath>

#include "engine/job/bond_order.hpp"

namespace macrostep::engine {

namespace {

/// Power into the side that receives the effort, and power out of the side that gives it.
struct BondPower {
  double in_w = 0;
  double out_w = 0;
};

BondPower power_of(bool computed, const BondComponent& at, const ResidualSums::End& end) {
  const double flow = end.y[at.flow_output];
  if (computed) {
    return {end.y[at.effort_output] * flow, end.y_exchanged[at.effort_output] * flow};
  }
  return {end.u[at.effort_input] * flow, end.u[at.flow_input] * end.y[at.effort_output]};
}

}  // namespace

std::int64_t first_counted_macro_step(Extrapolation extrapolation) {
  return 2 * (std::max(order(extrapolation), older_values(extrapolation)) + 1);
}

ResidualSums::ResidualSums(const CouplingGraph& graph, const Configuration& configuration,
                           double macro_step_s)
    : first_counted_(first_counted_macro_step(configuration.extrapolation)),
      macro_step_s_(macro_step_s) {
  const bool moves_inputs = configuration.correction == Correction::linearly_implicit;
  for (const auto& bond : graph.bonds) {
    bonds_.push_back({.components = bond.components,
                      .factor = bond.factor,
                      .computed = bond.computed,
                      .held = !moves_inputs && is_held(graph, bond, configuration.extrapolation)});
    compares_computed_efforts_ |= bond.computed;
  }
}

void ResidualSums::add(std::int64_t macro_step, const End& end, double share) {
  const bool counts = macro_step >= first_counted_;
  const double weight = share * macro_step_s_;
  double sum_j = 0;
  double sum_w = 0;
  double transmitted_j = 0;
  for (auto& bond : bonds_) {
    double power_w = 0;
    double transmitted_w = 0;
    for (const auto& component : bond.components) {
      const auto [in_w, out_w] = power_of(bond.computed, component, end);
      power_w += in_w - out_w;
      transmitted_w += (std::abs(in_w) + std::abs(out_w)) / 2;
    }
    power_w *= bond.factor;
    const double energy_j = weight * (bond.held ? power_w : (bond.power_w + power_w) / 2);
    bond.power_w = power_w;
    sum_w += power_w;
    sum_j += energy_j;
    if (counts) {
      bond.residual_j += std::abs(energy_j);
      transmitted_j += weight * std::abs(bond.factor) * transmitted_w;
    }
  }
  power_w_ = sum_w;
  transmitted_j_ += transmitted_j;
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
