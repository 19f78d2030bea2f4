// The mechanics of the cranes in minimal coordinates (two_link_arm.hpp), for reference solutions:
// the same arm, actuators and outputs as crane_mechanics.hpp, without constraints to hold.
//
//   M(θ) θ̈ + C(θ, θ̇) = G(θ) + Σ_i f_i ∂s_i/∂θ
//
// State [θ1, θ2, θ̇1, θ̇2]; inputs f_i [N]; outputs s_i, s_dot_i, s_ddot_i of each actuator.
#pragma once

#include <span>

#include "models/crane/crane_mechanics.hpp"
#include "models/integrators/dynamics.hpp"

namespace macrostep::models {

Dynamics crane_dynamics(const CraneParameters& parameters, int actuators);

/// The state of those dynamics, with θ2 within π of where it starts, from what a CraneMechanics
/// subsystem saves.
void crane_angles(const CraneParameters& parameters, std::span<const double> saved,
                  std::span<double> state);

}  // namespace macrostep::models
