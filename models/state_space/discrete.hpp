// A discrete state space as a subsystem: it takes its samples where they are inside a macro-step,
// from the input polynomials; its outputs change there and are held between.
#pragma once

#include <memory>

#include "models/state_space/state_space.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

std::unique_ptr<Subsystem> make_discrete(Description description, SplitStateSpace matrices,
                                         double sample_time_s);

}  // namespace macrostep::models
