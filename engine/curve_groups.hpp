// Which curves a search scans together: those whose trials may share work (run_trials.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/plan.hpp"

namespace macrostep::engine {

/// Each of these curves of the plan, ascending, in one group; groups in the order in which they
/// should start, the dearest first, so that none is left alone at the end. There are enough of them
/// to keep so many threads busy, where there are curves enough.
std::vector<std::vector<std::size_t>> curve_groups(const Plan& plan,
                                                   std::span<const std::size_t> ids, int threads);

/// Each by itself, where trials run elsewhere.
std::vector<std::vector<std::size_t>> single_curves(const Plan& plan,
                                                    std::span<const std::size_t> ids);

}  // namespace macrostep::engine
