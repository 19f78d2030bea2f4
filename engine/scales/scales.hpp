// The times and sizes of a problem: how fast and how slow it moves where its inputs and its start
// move it, and how large its outputs become. The method has none of its own; a search takes from
// here the range of H, the durations of its tests, and what counts as large (default_job.hpp).
//
// Found from the exact system ẋ = A x + B w, y = C x + D w. It is moved by its start, and
// by a jump of each external input from its initial value to the limit further away. From that the
// mode λ_i with right and left eigenvectors v_i and w_i (w_i v_i = 1) puts C v_i (w_i r)/λ_i into
// the outputs, r = A x0 + B w_0 for the start and r = B Δw for each jump. A mode is excited where
// its part is at least a thousandth of the root of the summed squares of all parts of some output
// that is exchanged.
#pragma once

#include <optional>
#include <vector>

#include "engine/job/job.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

/// How large a part of an output makes a mode excited.
inline constexpr double excited_share = 1e-3;

struct Scales {
  KnownScales times;
  /// A bound of the magnitude of every output over half_test_s(), by output of the graph: what the
  /// start and each jump make of it by themselves, added up. 0 where that is rounding.
  std::vector<double> largest_outputs;
};

/// A test lasts so many of the slowest times behind its event: five periods of an oscillation, and
/// what decays has decayed. Deviation: thirty periods say no more where rates come from matrices.
inline constexpr double slowest_times = 30;
/// In a whole test a growing mode grows by e to this at most.
inline constexpr double largest_growth = 4;

/// Half the duration of a test that shows all of it [s].
double half_test_s(const KnownScales& times);

/// From the matrices of the coupled system. Returns nothing where it is not known to be linear, has
/// no states or very many, its outputs do not settle, or nothing in it moves.
std::optional<Scales> scales_of(const Problem& problem, const Coupling& coupling,
                                const CouplingGraph& graph);

}  // namespace macrostep::engine
