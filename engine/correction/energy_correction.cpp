#include "engine/correction/energy_correction.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/job/bond_order.hpp"

namespace macrostep::engine {

namespace {

/// μ_SR: of a bond with direct feedthrough on one side, both sides at one rate.
constexpr double single_rate_share = 0.5;

const models::OutputPort& port_of(const CouplingGraph& graph, const Coupling& coupling,
                                  std::size_t subsystem, std::size_t output) {
  return coupling.subsystems[subsystem]
      .description.outputs[output - graph.output_ranges[subsystem].first];
}

/// Whether the inputs that an output depends on at once are all held.
bool direct_inputs_held(const CouplingGraph& graph, const models::OutputPort& port,
                        std::size_t subsystem, Extrapolation extrapolation) {
  return std::ranges::all_of(port.direct_inputs, [&](std::size_t input) {
    const auto& into = graph.inputs[graph.input_ranges[subsystem].first + input];
    return degree_of(into, extrapolation) == 0;
  });
}

/// Eqs. 20, 21: R = h_df/h_ndf of the sides with and without direct feedthrough.
double share_of(double ratio, bool fast_input_held) {
  if (ratio >= 1) {
    return single_rate_share * (fast_input_held ? 1.5 - 0.5 / ratio : 1);
  }
  return single_rate_share * (fast_input_held ? 1 : ratio);
}

}  // namespace

std::variant<std::vector<double>, std::string> energy_shares(const CouplingGraph& graph,
                                                             const Coupling& coupling,
                                                             const Configuration& configuration,
                                                             bool micro_steps, bool held_within) {
  const auto refused = [](const std::string& why) {
    return "the formula for mu does not hold: " + why;
  };
  if (configuration.scheme != Scheme::jacobi) {
    return refused("it is for the scheme jacobi");
  }
  if (configuration.extrapolation > Extrapolation::order_4) {
    return refused("it is for extrapolation 0 to 4");
  }
  for (const auto& subsystem : coupling.subsystems) {
    const auto integrator = configuration.integrators.at(subsystem.group);
    // A unit without a state of its own has no integrator to speak of.
    const bool stateless =
        subsystem.integrators.size() == 1 && integrator == models::Integrator::exact;
    const bool symplectic = integrator == models::Integrator::symplectic_euler ||
                            integrator == models::Integrator::al_symplectic_euler;
    if (!symplectic && !stateless) {
      return refused("it is for symplectic Euler, and " + subsystem.group + " is integrated by " +
                     std::string(models::to_string(integrator)));
    }
  }
  if (micro_steps) {
    return refused("it is for one micro-step per communication interval");
  }
  std::vector<double> shares;
  for (const auto& bond : graph.bonds) {
    bool effort_feeds_through = false;
    bool flow_feeds_through = false;
    double ratio = 1;
    bool fast_input_held = true;
    bool direct_held = true;
    for (const auto& component : bond.components) {
      const auto& effort_input = graph.inputs[component.effort_input];
      const auto& flow_input = graph.inputs[component.flow_input];
      const std::size_t effort_side = effort_input.source_subsystem;
      const std::size_t flow_side = flow_input.source_subsystem;
      const auto& effort = port_of(graph, coupling, effort_side, component.effort_output);
      const auto& flow = port_of(graph, coupling, flow_side, component.flow_output);
      effort_feeds_through |= !effort.direct_inputs.empty();
      flow_feeds_through |= !flow.direct_inputs.empty();
      direct_held = direct_held &&
                    direct_inputs_held(graph, effort, effort_side, configuration.extrapolation) &&
                    direct_inputs_held(graph, flow, flow_side, configuration.extrapolation);
      const double effort_rate = substeps_of(coupling.subsystems[effort_side], configuration);
      const double flow_rate = substeps_of(coupling.subsystems[flow_side], configuration);
      // h is H over the substeps, so that R = h_df/h_ndf = (substeps of ndf)/(substeps of df).
      ratio = effort_feeds_through ? flow_rate / effort_rate : effort_rate / flow_rate;
      const auto& into_the_fast_one = effort_rate > flow_rate ? flow_input : effort_input;
      fast_input_held = degree_of(into_the_fast_one, configuration.extrapolation) == 0;
    }
    if (effort_feeds_through && flow_feeds_through) {
      return refused("both sides of a power bond pass inputs on to outputs at once");
    }
    // The orders in the formula are those of the faster side's inputs.
    if (ratio >= 1 && !direct_held) {
      return refused(
          "where the side with direct feedthrough is not the faster one its inputs must be held");
    }
    if (ratio < 1 && !fast_input_held && !held_within) {
      return refused(
          "it needs within_substep held where the side with direct feedthrough is the "
          "faster one");
    }
    const bool none = !effort_feeds_through && !flow_feeds_through;
    shares.push_back(none ? 0 : share_of(ratio, fast_input_held));
  }
  return shares;
}

EnergyCorrection::EnergyCorrection(const CouplingGraph& graph, std::span<const double> shares,
                                   const CorrectionParameters& parameters, double macro_step_s)
    : parameters_(parameters), macro_step_s_(macro_step_s) {
  for (std::size_t b = 0; b < graph.bonds.size(); ++b) {
    const auto& bond = graph.bonds[b];
    bonds_.push_back({.factor = bond.factor,
                      .share = shares[b],
                      .first = components_.size(),
                      .count = bond.components.size()});
    for (const auto& component : bond.components) {
      components_.push_back({.effort_output = component.effort_output,
                             .flow_output = component.flow_output,
                             .effort_input = component.effort_input});
    }
  }
}

void EnergyCorrection::restart(std::span<const double> y) {
  for (auto& component : components_) {
    component.effort = y[component.effort_output];
    component.flow = y[component.flow_output];
    component.force = 0;
  }
  for (auto& bond : bonds_) {
    bond.power_w = bond.spurious_j = bond.uncorrected_j = 0;
  }
}

void EnergyCorrection::end_macro_step(std::span<const double> y, std::span<double> offsets) {
  std::ranges::fill(offsets, 0.0);
  for (auto& bond : bonds_) {
    correct(bond, y, offsets);
  }
}

void EnergyCorrection::correct(Bond& bond, std::span<const double> y, std::span<double> offsets) {
  const auto components = std::span(components_).subspan(bond.first, bond.count);
  double power_w = 0;
  double removed_w = 0;  // by the force of the macro-step that ended
  double effort_2 = 0;
  double flow_2 = 0;
  const auto flow_of = [&](const Component& at) {
    const double flow = y[at.flow_output];
    return parameters_.flow == FlowEstimate::predicted ? 2 * flow - at.flow : flow;
  };
  for (const auto& at : components) {
    const double effort = y[at.effort_output];
    const double flow = y[at.flow_output];
    power_w += bond.factor * (at.effort * flow - at.flow * effort);
    removed_w += bond.factor * at.force * flow;
    effort_2 += effort * effort;
    flow_2 += flow_of(at) * flow_of(at);
  }
  const double before_w = parameters_.quadrature == Quadrature::trapezoid ? bond.power_w : power_w;
  // The macro-step that ended; the force over it was made from the macro-step before.
  const double spurious_j = bond.share * macro_step_s_ * (before_w + power_w) / 2;
  bond.uncorrected_j += bond.spurious_j + macro_step_s_ * removed_w;
  bond.power_w = power_w;
  bond.spurious_j = spurious_j;

  const double wanted_j = spurious_j + parameters_.nu * bond.uncorrected_j;
  const double largest = parameters_.limit_n.value_or(parameters_.limit * std::sqrt(effort_2));
  // |e_corr| = |wanted|/(|factor| |f| H), limited; no direction where nothing flows.
  const double flow = std::sqrt(flow_2);
  const double size =
      flow > 0
          ? std::min(largest, std::abs(wanted_j) / (std::abs(bond.factor) * flow * macro_step_s_))
          : 0;
  const double per_flow = flow > 0 ? -std::copysign(size / flow, wanted_j * bond.factor) : 0;
  for (auto& at : components) {
    at.force = per_flow * flow_of(at);
    at.effort = y[at.effort_output];
    at.flow = y[at.flow_output];
    offsets[at.effort_input] += at.force;
  }
}

}  // namespace macrostep::engine
