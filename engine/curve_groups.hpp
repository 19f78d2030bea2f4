// Which curves a search scans together: those whose trials may share work (run_trials.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/executor.hpp"

namespace macrostep::engine {

/// Each of these curves of the plan, ascending, in one group; groups in the order in which they
/// should start, the dearest first, so that none is left alone at the end. There are enough of them
/// to keep all threads busy, where there are curves enough. Where trials run in other processes
/// each curve is by itself.
std::vector<std::vector<std::size_t>> curve_groups(const Plan& plan,
                                                   std::span<const std::size_t> ids,
                                                   const RunsOnThreads& runs);

}  // namespace macrostep::engine
