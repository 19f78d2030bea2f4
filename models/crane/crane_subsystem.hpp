// The crane's mechanics (crane_mechanics.hpp) as a subsystem, with either augmented Lagrangian
// (augmented_lagrangian.hpp) as its integrator: of one trial, and of several in lanes.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "models/crane/crane_mechanics.hpp"
#include "models/integrators/integrator.hpp"
#include "models/lanes/lane_subsystem.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// Integrators: i1al, i3al (augmented_lagrangian.hpp).
std::span<const Integrator> crane_integrators();

std::unique_ptr<Subsystem> make_crane_mechanics(const CraneParameters& parameters, int actuators,
                                                Integrator integrator,
                                                std::optional<double> micro_step_s);

/// The crane's mechanics in several trials at once, at a level that the processor has.
template <LaneLevel level>
std::unique_ptr<LaneSubsystem> make_crane_lanes(const CraneParameters& parameters, int actuators,
                                                Integrator integrator,
                                                std::optional<double> micro_step_s);
template <>
std::unique_ptr<LaneSubsystem> make_crane_lanes<LaneLevel::avx2>(
    const CraneParameters& parameters, int actuators, Integrator integrator,
    std::optional<double> micro_step_s);
template <>
std::unique_ptr<LaneSubsystem> make_crane_lanes<LaneLevel::avx512>(
    const CraneParameters& parameters, int actuators, Integrator integrator,
    std::optional<double> micro_step_s);

}  // namespace macrostep::models
