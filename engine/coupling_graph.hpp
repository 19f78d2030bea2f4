// A coupling as flat arrays: built and validated once per trial set-up, read in every macro-step.
//
// Outputs and inputs of all subsystems are numbered through, in problem and port order. Every input
// has exactly one source: an output, or an external signal (which never passes through here).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/field_error.hpp"
#include "engine/problem.hpp"

namespace macrostep::engine {

struct PortRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

struct GraphInput {
  std::size_t source = 0;  ///< output that feeds it
  bool extrapolate = true;
  /// Place of the source in its chain of derivatives (s: 0, ṡ: 1, s̈: 2), and the outputs that
  /// follow.
  int chain_depth = 0;
  std::optional<std::size_t> first_derivative;
  std::optional<std::size_t> second_derivative;
};

/// Indices of a bond: outputs e, f and the inputs ẽ, f̃ that carry them to the other side.
struct GraphBond {
  std::size_t effort_output = 0, flow_output = 0;
  std::size_t effort_input = 0, flow_input = 0;
  double factor = 1;
};

struct CouplingGraph {
  std::vector<PortRange> inputs;   ///< by subsystem
  std::vector<PortRange> outputs;  ///< by subsystem
  std::vector<GraphInput> input;   ///< by input number
  std::vector<GraphBond> bonds;
  std::size_t output_count = 0;
};

/// Errors carry the pointers /connections/<i>, /power_bonds/<i>, /external_inputs/<i>,
/// /subsystems/<i>.
std::variant<CouplingGraph, FieldErrors> build_coupling_graph(const Problem& problem,
                                                              const Coupling& coupling);

/// p: the lowest order that any input of a bond is extrapolated with.
int bond_order(const CouplingGraph& graph, int extrapolation_order);

}  // namespace macrostep::engine
