// Configurations that are asked what another one cannot follow.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// At most eight configurations: the first of each set that differs in nothing but the
/// extrapolation. What such a set cannot follow, however small H is, another coupling, integrator
/// or correction may.
std::vector<std::size_t> witnesses(const Plan& plan);

}  // namespace macrostep::engine
