// The subsystems of a master, looked up once before the first macro-step: what each reads and
// writes of what is exchanged.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/correction/linearly_implicit.hpp"
#include "engine/cosim/master_inputs.hpp"
#include "engine/cosim/master_memory.hpp"
#include "engine/plan/schedule.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "models/subsystem/input_polynomial.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::engine {

/// A subsystem with what every substep needs of it, looked up once. Spans are its parts of the
/// master's arrays, which must stay where they are.
struct MasterActor {
  models::Subsystem* subsystem = nullptr;
  PortRange inputs;
  PortRange outputs;
  std::span<const MasterInput> sources;
  std::span<InputHistory> histories;
  std::span<models::InputPolynomial> applied;
  std::span<double> u, y;
  double rhs_weight = 1;
  double substep_s = 0;
  std::int64_t substeps = 1;  ///< in a macro-step
  int substep_ticks = 1;
  int degree = 0;                             ///< of the polynomials of its inputs, at most
  bool plain = false;                         ///< all its inputs are
  models::InputDynamics* dynamics = nullptr;  ///< of inputs that it integrates itself
};

/// In the order of the graph. `applied`: the polynomials of all inputs, over the substeps of their
/// subsystems; `integrated`: what makes inputs that subsystems integrate themselves, or null.
std::vector<MasterActor> master_actors(const CouplingGraph& graph, const Schedule& schedule,
                                       const MasterSettings& settings, const MasterMemory& memory,
                                       std::span<models::InputPolynomial> applied,
                                       LinearlyImplicit* integrated);

}  // namespace macrostep::engine
