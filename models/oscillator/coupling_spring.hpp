// The spring and damper between two masses as a unit of its own, for force–force coupling: it has
// no state and receives x_1, v_1, x_2, v_2 [m, m/s] of the masses and gives to each the force on
// it,
//
//   f_2 = F(x_1 − x_2, v_1 − v_2) [N],   f_1 = −f_2,   energy [J] of the spring,
//
// with F as in spring_damper.hpp.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "models/integrators/dynamics.hpp"
#include "models/integrators/integrator.hpp"
#include "models/oscillator/oscillator.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

struct CouplingSpringSetup {
  CouplingParameters coupling;
  double nominal_amplitude_m = 1;  ///< of the masses
  double nominal_velocity_m_per_s = 1;
};

CouplingSpringSetup coupling_spring_between(const CouplingParameters& coupling,
                                            const MassSetup& first, const MassSetup& second);

Description describe_coupling_spring(const CouplingSpringSetup& setup);

/// Without a state every integrator would do the same: only `exact`.
std::span<const Integrator> coupling_spring_integrators();

/// Null for an integrator that is not offered.
std::unique_ptr<Subsystem> make_coupling_spring(const CouplingSpringSetup& setup,
                                                Integrator integrator);

/// With a state of size 0.
Dynamics coupling_spring_dynamics(const CouplingSpringSetup& setup);

}  // namespace macrostep::models
