// The scales of a problem from short runs of it, where no matrices tell them (scales.hpp): of FMUs,
// and of what is not linear.
//
// A window is a few hundred macro-steps of one H from the start, free and after a jump of each
// input. Windows go up from a first guess by a ratio, as long as the next one agrees with the one
// before where both have been, and until the outputs stand still or repeat; and down, until the
// outputs do not move within the first macro-step. What moves in a window is identified from its
// outputs (identified_growth.hpp); where that does not hold, the ratios of neighbouring derivatives
// stand in its place. The fastest motion is looked at once more with the H that it asks for, so
// that little is left of the guess.
#pragma once

#include <optional>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/plan/plan.hpp"
#include "engine/scales/scales.hpp"

namespace macrostep::engine {

/// Looks with the hold of the first configuration that has it. Returns nothing where nothing moves,
/// no run completes, or the stop flag ends it. 0 stands for the largest of outputs that are not
/// exchanged.
std::optional<Scales> scales_by_runs(const Plan& plan, const RunsOnThreads& runs);

}  // namespace macrostep::engine
