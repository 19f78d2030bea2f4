// Two coupled pendula (pendulum.hpp): both with the spring between their tips, and either of them
// as a subsystem with the integrators that it has.
#pragma once

#include <array>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "models/integrators/dynamics.hpp"
#include "models/integrators/integrator.hpp"
#include "models/pendulum/pendulum.hpp"
#include "models/subsystem/parameter.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// m1 and m2 start at rest, leaning towards each other, with the spring unloaded.
struct CoupledPendula {
  std::array<PendulumParameters, 2> pendula{
      PendulumParameters{},
      PendulumParameters{.angle_rad = -std::numbers::pi / 18, .pivot_x_m = 10.5}};
  PendulumCouplingParameters coupling;
};

/// l_0: the distance of the tips at the start.
double natural_length_m(const CoupledPendula& pendula);

/// Errors of the tips' distance, for pendula and coupling without errors of their own; named as
/// parameters of m2.
std::vector<ParameterError> check(const CoupledPendula& pendula);

/// Integrators: al_symplectic_euler (in Cartesian coordinates, the default); symplectic_euler, rk4,
/// trapezoidal, cvode (in the angle).
std::span<const Integrator> pendulum_integrators();

/// Null for an integrator that is not offered.
std::unique_ptr<Subsystem> make_pendulum(const PendulumSetup& setup, Integrator integrator,
                                         std::optional<double> micro_step_s);

/// In the angle: state [θ, θ̇].
Dynamics pendulum_dynamics(const PendulumSetup& setup);

/// The state of those dynamics, [θ; θ̇], from what a pendulum of any integrator saves; θ is within
/// π of where it starts if the integrator has Cartesian coordinates.
void pendulum_angle(const PendulumSetup& setup, std::span<const double> saved,
                    std::span<double> state);

}  // namespace macrostep::models
