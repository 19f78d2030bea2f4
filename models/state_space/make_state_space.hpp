// From a state space to the subsystem that steps it: continuous, discrete or without a state.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/integrators/integrator.hpp"
#include "models/state_space/state_space.hpp"
#include "models/state_space/step_cache.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// Null for an integrator that is not offered. A discrete unit takes its samples inside a
/// macro-step where they are, from the input polynomials; its outputs change there and are held
/// between. `steps` are those of this model that others take, too; null: it makes its own.
std::unique_ptr<Subsystem> make_state_space(const StateSpace& model,
                                            const std::vector<std::string>& externals,
                                            Integrator integrator,
                                            std::optional<double> micro_step_s,
                                            std::shared_ptr<StepCache> steps = nullptr);

}  // namespace macrostep::models
