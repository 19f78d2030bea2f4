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

#include "engine/extrapolation.hpp"
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
  double nominal_w = 0;  ///< |factor| × the nominal effort and flow
};

struct CouplingGraph {
  std::vector<PortRange> inputs;   ///< by subsystem
  std::vector<PortRange> outputs;  ///< by subsystem
  std::vector<GraphInput> input;   ///< by input number
  std::vector<GraphBond> bonds;
  std::size_t output_count = 0;
};

/// Errors carry pointers into the problem: /connections/<i>, /power_bonds/<i>,
/// /external_inputs/<i>.
std::variant<CouplingGraph, FieldErrors> build_coupling_graph(const Problem& problem,
                                                              const Coupling& coupling);

/// Degree of the polynomial that continues an input: 0 if it is held; i1 and i2 integrate an input
/// further down its chain of derivatives fewer times.
int degree_of(const GraphInput& input, Extrapolation extrapolation);

/// p: the lowest degree that any input of a bond is continued with.
int bond_order(const CouplingGraph& graph, Extrapolation extrapolation);

}  // namespace macrostep::engine
