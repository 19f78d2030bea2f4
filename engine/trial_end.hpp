// When and how a trial ends, the same for one that runs alone (trial.cpp) and for several that step
// side by side (lane_batch.cpp).
#pragma once

#include <string>
#include <vector>

#include "engine/coupling_graph.hpp"
#include "engine/trial.hpp"

namespace macrostep::engine {

inline constexpr const char* grew_too_far = "an output grew beyond 10000 times its nominal value";
inline constexpr const char* was_stopped = "stopped";

/// Largest magnitude of every output before the trial counts as diverged.
std::vector<double> output_bounds(const CouplingGraph& graph);

/// "reason at 0.1 s"
std::string reason_at(const std::string& reason, double time_s);

/// How much of the last macro-step lies inside the trial.
double last_share(double duration_s, double start_s, double macro_step_s);

/// The transmitted energy, or 0 where it is only rounding.
double without_noise(double transmitted_j, const CouplingGraph& graph, double duration_s);

}  // namespace macrostep::engine
