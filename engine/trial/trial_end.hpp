// When and how a trial ends, the same for one that runs alone (trial.cpp) and for several that step
// side by side (lane_batch.cpp).
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/problem/coupling_graph.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

/// The stop flag is read once per this much work (TrialResult::cost, of all trials that step side
/// by side): some milliseconds.
inline constexpr double cost_per_poll = 1e6;
inline constexpr const char* was_stopped = "stopped";

/// Largest magnitude of every output before the trial counts as diverged: a multiple of its nominal
/// value where another subsystem or a bond reads it; any other only has to stay finite.
std::vector<double> output_bounds(const CouplingGraph& graph);

/// Whether all lie within their bounds; a NaN does not.
inline bool within(std::span<const double> values, std::span<const double> bounds) {
  bool inside = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    inside &= std::abs(values[i]) <= bounds[i];  // false for NaN
  }
  return inside;
}

/// Why outputs that are not within their bounds have diverged: "m2.v became NaN", or "an output
/// grew beyond 10000 times its nominal value (0.01 of m2.x)". Of several outputs the first is
/// named; one that is not finite comes before one that is only large.
std::string why_diverged(const Coupling& coupling, const CouplingGraph& graph,
                         std::span<const double> outputs);

/// "m2.v" and "NaN" or "infinite", of the first output that is not finite.
struct NotFinite {
  std::string output;
  const char* what = "";
};
std::optional<NotFinite> not_finite(const Coupling& coupling, std::span<const double> outputs);

/// Whether the reason of a trial's end is that of an output that was not finite.
bool is_not_finite(std::string_view reason);

/// Whether the reason of a trial's end is that of an output beyond its limit. Where the user gives
/// the nominal values, that limit may be what is wrong.
bool is_beyond_nominal(std::string_view reason);

/// "reason at 0.1 s"
std::string reason_at(const std::string& reason, double time_s);

/// How much of the last macro-step lies inside the trial.
double last_share(double duration_s, double start_s, double macro_step_s);

/// The transmitted energy, or 0 where it is only rounding.
double without_noise(double transmitted_j, const CouplingGraph& graph, double duration_s);

}  // namespace macrostep::engine
