// The times and sizes of a problem: how fast and how slow it moves where its inputs and its start
// move it, and how large its outputs become. The method has none of its own; a search takes from
// here the range of H, the durations of its tests, and what counts as large (default_job.hpp).
//
// Found from the exact system ẋ = A x + B w, y = C x + D w. It is driven by what the tests drive
// it with: every external input jumps from its initial value to the limit that is further away, and
// the system starts where it starts. From that the mode λ_i with right and left eigenvectors v_i
// and w_i (w_i v_i = 1) puts C v_i (w_i r)/λ_i into the outputs, r = A x0 + B w_0 for the start and
// r = B Δw for each jump. A mode is excited where its part is at least a thousandth of the root of
// the summed squares of all parts of some output that is exchanged.
#pragma once

#include <optional>
#include <vector>

#include "engine/problem/coupling_graph.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

/// How large a part of an output makes a mode excited.
inline constexpr double excited_share = 1e-3;

struct Scales {
  double fastest_s = 0;  ///< 1/|λ| of the fastest excited mode
  double slowest_s = 0;  ///< 1/|λ| of the slowest one
  /// The fastest growth of the exact system; absent where nothing grows.
  std::optional<double> growing_per_s;
  /// The largest magnitude of every output in a test of slowest_times, by output of the graph; 0
  /// where it stands at 0.
  std::vector<double> largest_outputs;
};

/// A test looks at so many of the slowest times behind its event: five periods of an oscillation,
/// and what decays has decayed.
inline constexpr double slowest_times = 30;
/// It ends before a growing mode has grown by e to this.
inline constexpr double largest_growth = 4;

/// From the matrices of the coupled system. Nothing where it is not known to be linear, has no
/// states or very many, its outputs do not settle, or nothing in it moves.
std::optional<Scales> scales_of(const Problem& problem, const Coupling& coupling,
                                const CouplingGraph& graph);

}  // namespace macrostep::engine
