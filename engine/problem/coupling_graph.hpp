// A coupling as flat arrays: built and validated once per trial set-up, read in every macro-step.
//
// Outputs and inputs of all subsystems are numbered through, in problem and port order. Every input
// has exactly one source: an output, or an external signal (which never passes through here).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/field_error.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

struct PortRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

struct GraphInput {
  std::size_t source = 0;  ///< output that feeds it
  std::size_t source_subsystem = 0;
  std::size_t subsystem = 0;  ///< the one it belongs to
  bool extrapolate = true;
  int delay_macro_steps = 0;
  /// Place of the source in its chain of derivatives (s: 0, ṡ: 1, s̈: 2), and the outputs that
  /// follow.
  int chain_depth = 0;
  std::optional<std::size_t> first_derivative;
  std::optional<std::size_t> second_derivative;
};

/// One component of a bond: outputs e, f, and the inputs ẽ, f̃ that carry them to the other side
/// (none if the effort is computed).
struct BondComponent {
  std::size_t effort_output = 0, flow_output = 0;
  std::size_t effort_input = 0, flow_input = 0;
};

struct GraphBond {
  std::vector<BondComponent> components;
  bool computed = false;      ///< the effort is not exchanged (PowerBond)
  std::size_t subsystem = 0;  ///< that computes it
  double factor = 1;
  double nominal_w = 0;  ///< |factor| × the nominal efforts and flows
};

struct CouplingGraph {
  std::vector<PortRange> input_ranges;   ///< by subsystem
  std::vector<PortRange> output_ranges;  ///< by subsystem
  std::vector<GraphInput> inputs;
  std::vector<GraphBond> bonds;
  std::size_t output_count = 0;
  std::vector<double> nominal;  ///< of every output
  std::vector<std::size_t>
      energy_outputs;  ///< of all subsystems; empty if one does not tell its own
  /// A loop of direct feedthrough among the outputs, through connections without delay, as
  /// "a.f → b.x → a.f"; empty: there is none.
  std::string algebraic_loop;
};

/// Errors carry pointers into the problem: /connections/<i>, /power_bonds/<i>,
/// /external_inputs/<i>.
std::variant<CouplingGraph, FieldErrors> build_coupling_graph(const Problem& problem,
                                                              const Coupling& coupling);

/// Outputs that are sources of inputs, each once, in ascending order.
std::vector<std::size_t> exchanged_outputs(const CouplingGraph& graph);

/// Those of them whose subsystem has inputs itself: what the coupling can move.
std::vector<std::size_t> responding_outputs(const CouplingGraph& graph);

/// Sum of the subsystems' energies among outputs y [J]; nothing if one does not tell its own.
std::optional<double> total_energy_j(const CouplingGraph& graph, std::span<const double> y);

}  // namespace macrostep::engine
