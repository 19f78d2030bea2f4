// A continuous state space as a subsystem.
//
// Steppers as in models/integrators/steppers.hpp with matrices of any size, and exact integration
// and CVODE as in models/integrators/exact.hpp and models/integrators/cvode.hpp. The trapezoidal
// rule factorises once per step size:
//
//   x⁺ = x + (I − h/2 A)⁻¹ h [A x + (g + g⁺)/2],   g = B u + B_w w
#pragma once

#include <memory>
#include <optional>

#include "models/integrators/integrator.hpp"
#include "models/state_space/state_space.hpp"
#include "models/state_space/step_cache.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// `steps` are those of this system that others take, too; null: it makes its own.
std::unique_ptr<Subsystem> make_continuous(Description description, SplitStateSpace matrices,
                                           Integrator integrator,
                                           std::optional<double> micro_step_s,
                                           std::shared_ptr<StepCache> steps = nullptr);

}  // namespace macrostep::models
