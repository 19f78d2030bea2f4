#include "models/pendulum/coupled_pendula.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/integrators/native.hpp"
#include "models/pendulum/pendula.hpp"
#include "models/subsystem/full_turns.hpp"

namespace macrostep::models {

namespace {

/// Tips nearer than this have no direction to each other.
constexpr double smallest_distance_m = 1e-6;

constexpr std::array integrators{Integrator::al_symplectic_euler, Integrator::symplectic_euler,
                                 Integrator::rk4, Integrator::trapezoidal, Integrator::cvode};

Vector2 tip_at_start(const PendulumParameters& p) {
  const AngularMotion motion{p};
  return motion.pose(motion.initial_state()).r;
}

void set_up(const PendulumSetup& setup, auto& model) {
  model.setup = setup;
  model.motion = {setup.pendulum};
  if constexpr (requires { model.spring; }) {
    model.spring = {.stiffness = setup.coupling.stiffness_n_per_m,
                    .damping = setup.coupling.damping_ns_per_m,
                    .natural_length = setup.natural_length_m};
    model.force_sign = setup.role == PendulumRole::owner ? -1 : 1;
    model.spring_share = setup.counts_coupling_energy ? 1 : 0;
  }
}

template <template <class> class Role>
InAngle<Role> in_angle(const PendulumSetup& setup) {
  InAngle<Role> model{};
  set_up(setup, model);
  return model;
}

template <template <class> class Role>
std::unique_ptr<Subsystem> make_of_role(const PendulumSetup& setup, Integrator integrator,
                                        std::optional<double> micro_step_s) {
  if (integrator != Integrator::al_symplectic_euler) {
    return make_native(in_angle<Role>(setup), integrator, micro_step_s);
  }
  using Model = Role<CartesianMotion>;
  Model model{};
  set_up(setup, model);
  return std::make_unique<OdeSubsystem<Model, AlSymplecticEuler>>(model, micro_step_s);
}

}  // namespace

std::span<const Integrator> pendulum_integrators() {
  return integrators;
}

double natural_length_m(const CoupledPendula& pendula) {
  return (tip_at_start(pendula.pendula[1]) - tip_at_start(pendula.pendula[0])).norm();
}

std::vector<ParameterError> check(const CoupledPendula& pendula) {
  if (natural_length_m(pendula) < smallest_distance_m) {
    return {{"theta", "the tips of both pendula start at the same point"}};
  }
  return {};
}

std::unique_ptr<Subsystem> make_pendulum(const PendulumSetup& setup, Integrator integrator,
                                         std::optional<double> micro_step_s) {
  if (std::ranges::find(integrators, integrator) == integrators.end()) {
    return nullptr;
  }
  return setup.role == PendulumRole::receiver
             ? make_of_role<LoadedPendulum>(setup, integrator, micro_step_s)
             : make_of_role<SprungPendulum>(setup, integrator, micro_step_s);
}

void pendulum_angle(const PendulumSetup& setup, std::span<const double> saved,
                    std::span<double> state) {
  constexpr auto cartesian = static_cast<std::size_t>(CartesianMotion::State::RowsAtCompileTime);
  if (saved.size() < cartesian) {
    std::copy_n(saved.begin(), state.size(), state.begin());
    return;
  }
  const auto& p = setup.pendulum;
  const double theta = std::atan2(saved[0] - p.pivot_x_m, -saved[1]);
  state[0] = theta + full_turns(p.angle_rad - theta);
  state[1] = (std::cos(state[0]) * saved[2] + std::sin(state[0]) * saved[3]) / p.length_m;
}

Dynamics pendulum_dynamics(const PendulumSetup& setup) {
  return setup.role == PendulumRole::receiver ? dynamics_of(in_angle<LoadedPendulum>(setup))
                                              : dynamics_of(in_angle<SprungPendulum>(setup));
}

}  // namespace macrostep::models
