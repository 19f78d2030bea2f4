// The inputs of a master, looked up once before the first macro-step: where each comes from, and
// the window of time over which it is continued.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/job/configuration.hpp"
#include "engine/job/extrapolation.hpp"
#include "engine/plan/schedule.hpp"
#include "engine/problem/coupling_graph.hpp"

namespace macrostep::engine {

struct MasterSettings {
  Extrapolation extrapolation = Extrapolation::order_0;
  Scheme scheme = Scheme::jacobi;
  Iteration iteration;
  WithinSubstep within_substep = WithinSubstep::held;
  int model_refresh = 1;  ///< macro-steps between new Jacobians for a correction
  double macro_step_s = 0;
};

/// What every macro-step needs of an input.
struct MasterInput {
  std::size_t source = 0;
  bool extrapolate = true;
  /// Nothing but its source's past values by order m, over windows of one substep: the common case,
  /// and the fast one.
  bool plain = false;
  bool known_ahead = false;
  bool repeats_ahead = false;  ///< known from the last iterate, when repeated
  bool whole_window = true;    ///< its window is a substep of its subsystem
  int window_ticks = 1;
  std::optional<std::size_t> slope_source, curvature_source;
  double window_s = 0;
  std::size_t delay_first = 0;  ///< where its ring begins in MasterState::delayed
  std::size_t delay_count = 0;  ///< windows of delay
};

/// In the order of the graph; `corrected`: something is added to them.
std::vector<MasterInput> master_inputs(const CouplingGraph& graph, const Schedule& schedule,
                                       const MasterSettings& settings, bool corrected);

/// What an input's source gives, with as many derivatives per window as are used.
inline Sample sample_of(const MasterInput& input, std::span<const double> y) {
  Sample sample{.value = y[input.source]};
  if (input.slope_source) {
    sample.slope = input.window_s * y[*input.slope_source];
    if (input.curvature_source) {
      sample.curvature = input.window_s * input.window_s * y[*input.curvature_source];
    }
  }
  return sample;
}

/// How many ticks of the past decide how the inputs are continued.
int past_ticks(std::span<const MasterInput> inputs, Extrapolation extrapolation);

}  // namespace macrostep::engine
