// Which curves of a search or a chunk are scanned together: those whose trials may share work
// (trial_backend.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"

namespace macrostep::engine {

/// At least, as the last group of a thread may take as long as it does while the others wait.
inline constexpr std::size_t groups_per_thread = 2;
/// How many of so many curves are in one group, at most; at least 1.
std::size_t most_in_group(std::size_t curves, int threads);

/// Each of these curves of the plan, ascending, in one group; groups in the order in which they
/// should start, the most expensive first, so that none is left alone at the end. There are enough
/// of them to keep all threads busy, where there are curves enough. Where trials run in other
/// processes each curve is by itself. `expected_costs` are those of all curves of the plan
/// (expected_costs() in cost_estimate.hpp).
std::vector<std::vector<std::size_t>> curve_groups(const Plan& plan,
                                                   std::span<const std::size_t> ids,
                                                   std::span<const double> expected_costs,
                                                   const RunsOnThreads& runs);

}  // namespace macrostep::engine
