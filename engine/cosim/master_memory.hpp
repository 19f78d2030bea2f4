// What a master carries from one macro-step to the next, and all of it as one vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/cosim/master_inputs.hpp"
#include "engine/job/extrapolation.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::engine {

/// Everything but the states of the subsystems and the memory of a correction.
struct MasterState {
  std::int64_t macro_steps = 0;
  std::vector<double> y;                ///< outputs, as last exchanged
  std::vector<double> u;                ///< inputs as applied when their subsystem last exchanged
  std::vector<double> offsets;          ///< of the correction, in u
  std::vector<InputHistory> inputs;     ///< by input: of its source
  std::vector<double> delayed;          ///< rings of delayed inputs, one after the other
  std::vector<std::size_t> delay_head;  ///< by input: the oldest value of its ring
  std::vector<double> largest;          ///< magnitude of every output so far
};

/// With room for all of them.
MasterState empty_state(const CouplingGraph& graph, std::span<const MasterInput> inputs);

/// The parts of a master that remember.
struct MasterMemory {
  std::span<const std::unique_ptr<models::Subsystem>> subsystems;
  std::span<const MasterInput> inputs;
  MasterState& state;
  Extrapolation extrapolation = Extrapolation::order_0;
  bool corrects = false;  ///< offsets of the inputs are remembered, too
};

/// Typical magnitudes of the vector: the states of the subsystems, with those given, then what is
/// remembered of every input. Nothing where the state of a subsystem is no vector of its own or the
/// extrapolation chooses by its values.
std::optional<std::vector<double>> nominal_of(const MasterMemory& memory,
                                              const CouplingGraph& graph,
                                              std::span<const double> nominal_states);
void read(const MasterMemory& memory, std::span<double> vector);
void write(const MasterMemory& memory, std::span<const double> vector);

/// Outputs of all subsystems so many ticks (schedule.hpp) ago.
using PastOutputs = std::function<std::span<const double>(int ticks)>;

/// Sets the states, one subsystem's after the other's, and remembers these outputs of the past, as
/// if all had been exchanged there. Only where nominal_of() is known.
void remember_past(const MasterMemory& memory, std::span<const double> states,
                   const PastOutputs& past);

}  // namespace macrostep::engine
