// Which curves a search scans together: those whose trials may share work (run_trials.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "engine/plan.hpp"

namespace macrostep::engine {

/// Every curve of the plan in one group; groups in the order in which they should start, the
/// dearest first, so that none is left alone at the end. There are enough of them to keep so many
/// threads busy, where there are curves enough.
std::vector<std::vector<std::size_t>> curve_groups(const Plan& plan, int threads);

/// Each by itself, where trials run elsewhere.
std::vector<std::vector<std::size_t>> single_curves(const Plan& plan);

}  // namespace macrostep::engine
