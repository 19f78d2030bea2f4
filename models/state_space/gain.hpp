// A unit without a state: outputs follow inputs at once, as those of the manager that computes a
// coupling force from both motions do.
//
//   y = D u + D_w w
#pragma once

#include <memory>

#include "models/state_space/state_space.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

std::unique_ptr<Subsystem> make_gain(Description description, SplitStateSpace matrices);

}  // namespace macrostep::models
