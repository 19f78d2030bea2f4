// Configurations that are asked what another one cannot follow.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// The first of all configurations that differ in nothing but the extrapolation, for some: what the
/// others cannot follow, however small H is, another coupling, integrator or correction may.
std::vector<std::size_t> witnesses(const Plan& plan);

}  // namespace macrostep::engine
