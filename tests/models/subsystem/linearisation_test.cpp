#include "models/subsystem/linearisation.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/crane/crane_subsystem.hpp"
#include "models/hydraulic_actuator/hydraulic_actuator.hpp"
#include "models/manipulator/hydraulic_cylinder.hpp"
#include "models/oscillator/coupling_spring.hpp"
#include "models/oscillator/oscillator.hpp"
#include "models/pendulum/coupled_pendula.hpp"
#include "models/pipe_volume/pipe_volume.hpp"
#include "models/relief_valve/relief_valve.hpp"
#include "models/state_space/make_state_space.hpp"
#include "models/state_space/state_space.hpp"
#include "tests/allocation_count.hpp"

using namespace macrostep::models;

namespace {

/// A subsystem away from rest, with inputs and nothing from outside.
struct Case {
  std::string name;
  std::unique_ptr<Subsystem> subsystem;
  Dynamics dynamics;  ///< its equations
  std::vector<double> x, u;
  std::vector<double> scale;  ///< of the inputs, for differences
};

std::vector<ExternalSignal> no_signals(const Subsystem& subsystem) {
  return std::vector<ExternalSignal>(subsystem.describe().externals.size());
}

void place(Case& at, std::span<const double> x) {
  const auto state = at.subsystem->state();
  REQUIRE(state);
  std::copy(x.begin(), x.end(), state->begin());
}

PendulumSetup pendulum_setup() {
  return {.coupling = {.stiffness_n_per_m = 10, .damping_ns_per_m = 0.5},
          .natural_length_m = 8.7,
          .role = PendulumRole::owner};
}

StateSpace state_space() {
  StateSpace model;
  model.a = Eigen::Matrix2d{{0, 1}, {-4, -0.4}};
  model.b = Eigen::Matrix2d{{0, 0}, {1, 3}};
  model.c = Eigen::Matrix2d{{1, 0}, {4, 0}};
  model.d = Eigen::Matrix2d{{0, 0}, {0.5, 0.25}};
  model.x0 = Eigen::Vector2d{1, 0};
  model.inputs = {{"u", "N"}, {"w", "N"}};
  model.outputs = {{"x", "m"}, {"f", "N"}};
  return model;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](std::string name, std::unique_ptr<Subsystem> subsystem, Dynamics dynamics,
                       std::vector<double> x, std::vector<double> u, std::vector<double> scale) {
    REQUIRE(subsystem);
    subsystem->start(0, no_signals(*subsystem));
    all.push_back({std::move(name), std::move(subsystem), std::move(dynamics), std::move(x),
                   std::move(u), std::move(scale)});
  };
  const MassSetup owner{.coupling = {.stiffness_n_per_m = 100, .damping_ns_per_m = 3},
                        .role = MassRole::owner};
  const MassSetup pushed{.forces = 3};
  MassSetup bent = owner;
  bent.mass.spring_exponent = 0.5;
  bent.coupling.damper_exponent = 2;
  const ReliefValveParameters relief;
  add("relief valve, mechanics",
      make_relief_valve(relief, ReliefValveSide::mechanics, Integrator::rk4, {}),
      relief_valve_dynamics(relief, ReliefValveSide::mechanics), {1e-3, 0.2},
      {1.1 * relief.load_pressure_pa}, {relief.load_pressure_pa});
  const double partly = (relief.opening_pressure_pa + relief.full_pressure_pa) / 2;
  for (const double pressure :
       {0.9 * relief.opening_pressure_pa, partly, 1.1 * relief.full_pressure_pa}) {
    add("relief valve, hydraulics at " + std::to_string(pressure) + " Pa",
        make_relief_valve(relief, ReliefValveSide::hydraulics, Integrator::rk4, {}),
        relief_valve_dynamics(relief, ReliefValveSide::hydraulics), {pressure}, {1e-4}, {1e-4});
  }
  add("mass", make_mass(owner, Integrator::forward_euler, {}), mass_dynamics(owner), {2, 30},
      {1, -20}, {1, 1});
  add("mass under a solver", make_mass(owner, Integrator::exact, {}), mass_dynamics(owner), {2, 30},
      {1, -20}, {1, 1});
  add("pushed mass", make_mass(pushed, Integrator::rk4, {}), mass_dynamics(pushed), {2, 30},
      {1, 2, 3}, {1, 1, 1});
  add("nonlinear mass", make_mass(bent, Integrator::forward_euler, {}), mass_dynamics(bent),
      {2, 30}, {1, -20}, {1, 1});
  const CouplingSpringSetup spring{.coupling = bent.coupling};
  add("spring", make_coupling_spring(spring, Integrator::exact), coupling_spring_dynamics(spring),
      {}, {2, 1, 0.5, -3}, {1, 1, 1, 1});
  const auto pendulum = pendulum_setup();
  add("pendulum", make_pendulum(pendulum, Integrator::rk4, {}), pendulum_dynamics(pendulum),
      {0.3, 0.5}, {9, -1, 0.2, 0.1}, {1, 1, 1, 1});
  const HydraulicEquilibrium rest{.length_m = 0.5, .force_n = 8829};
  add("actuator", make_hydraulic_actuator({}, rest, Integrator::forward_euler, {}),
      dynamics_of(HydraulicActuator({}, rest)), {4e6, 3.5e6, 4.5e6, 3}, {0.51, 0.1}, {1e-2, 1});
  const ManipulatorEquilibrium arm{.length_m = 0.5, .force_n = 8829};
  constexpr auto coupling = ManipulatorCoupling::force_displacement;
  add("cylinder", make_hydraulic_cylinder({}, arm, coupling, Integrator::trapezoidal, {}),
      hydraulic_cylinder_dynamics({}, arm, coupling), {3e6, 4e6}, {0.51, 0.1}, {1e-2, 1});
  add("arm", make_manipulator_mechanics({}, 1e5, Integrator::rk4, {}),
      manipulator_mechanics_dynamics({}, 1e5), {0.6, 4.5, 0.2, -0.3}, {9000}, {1e3});
  add("pipe", make_pipe_volume({}, PipeVolumeSide::right, Integrator::exact, {}),
      pipe_volume_dynamics({}, PipeVolumeSide::right), {1e-8, 20}, {1e5}, {1e5});
  add("state space", make_state_space(state_space(), {"w"}, Integrator::rk4, {}),
      state_space_dynamics(state_space(), {"w"}), {0.3, -2}, {5}, {1});
  return all;
}

Eigen::VectorXd evaluated(const EquationFunction& function, Eigen::Index size, const Case& at,
                          const std::vector<double>& x, const std::vector<double>& u) {
  const std::vector<double> none(at.subsystem->describe().externals.size());
  Eigen::VectorXd result(size);
  function(x, u, none, {result.data(), static_cast<std::size_t>(size)});
  return result;
}

/// Slopes by moving one entry of x or u after the other.
Eigen::MatrixXd slopes(const EquationFunction& function, Eigen::Index size, const Case& at,
                       bool by_state) {
  // Differences of a share of 1e-4: the error of a slope is 1e-8 of f‴/6, or 1e-12 of rounding.
  constexpr double share = 1e-4;
  auto x = at.x;
  auto u = at.u;
  auto& moved = by_state ? x : u;
  Eigen::MatrixXd result(size, static_cast<Eigen::Index>(moved.size()));
  for (std::size_t k = 0; k < moved.size(); ++k) {
    const double middle = moved[k];
    const double delta = share * (by_state ? std::abs(middle) : at.scale[k]);
    moved[k] = middle + delta;
    const Eigen::VectorXd ahead = evaluated(function, size, at, x, u);
    moved[k] = middle - delta;
    result.col(static_cast<Eigen::Index>(k)) =
        (ahead - evaluated(function, size, at, x, u)) / (2 * delta);
    moved[k] = middle;
  }
  return result;
}

/// Entry by entry, relative to the entry or to a little of its row: rows have units of their own.
void check_near(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected) {
  REQUIRE(found.rows() == expected.rows());
  REQUIRE(found.cols() == expected.cols());
  for (Eigen::Index i = 0; i < found.rows(); ++i) {
    for (Eigen::Index k = 0; k < found.cols(); ++k) {
      CAPTURE(i);
      CAPTURE(k);
      CHECK(std::abs(found(i, k) - expected(i, k)) <=
            1e-6 * std::max(std::abs(expected(i, k)), 1e-3 * expected.row(i).norm()));
    }
  }
}

void check_against_equations(Case& at, const Linearisation& found) {
  const auto n = static_cast<Eigen::Index>(at.x.size());
  const auto p = static_cast<Eigen::Index>(at.subsystem->describe().outputs.size());
  const auto& derivatives = at.dynamics.derivatives;
  const auto& outputs = at.dynamics.outputs;
  check_near(found.state_rate, evaluated(derivatives, n, at, at.x, at.u));
  check_near(found.a, slopes(derivatives, n, at, true));
  check_near(found.b, slopes(derivatives, n, at, false));
  check_near(found.c, slopes(outputs, p, at, true));
  check_near(found.d, slopes(outputs, p, at, false));
}

}  // namespace

TEST_CASE("Jacobians are the slopes of the equations, energies included") {
  for (auto& at : cases()) {
    CAPTURE(at.name);
    CHECK(at.subsystem->describe().provides_jacobians);
    Linearisation found;
    place(at, at.x);
    REQUIRE(at.subsystem->linearise(0, at.u, found));
    check_against_equations(at, found);
    CHECK(found.constant == at.dynamics.linear);
  }
}

TEST_CASE("a linearisation is brought up to date without allocating") {
  for (auto& at : cases()) {
    CAPTURE(at.name);
    Linearisation found;
    place(at, at.x);
    REQUIRE(at.subsystem->linearise(0, at.u, found));
    for (double& x : at.x) {
      x *= 1.1;
    }
    for (double& u : at.u) {
      u *= 0.9;
    }
    place(at, at.x);
    const auto allocations = macrostep::tests::allocation_count();
    at.subsystem->linearise(0, at.u, found);
    CHECK(macrostep::tests::allocation_count() == allocations);
    if (const auto energy = at.subsystem->describe().energy_output; energy && found.constant) {
      // Only a first call brings this row up to date.
      Linearisation first;
      at.subsystem->linearise(0, at.u, first);
      const auto row = static_cast<Eigen::Index>(*energy);
      CHECK(first.c.row(row) != found.c.row(row));
      found.c.row(row) = first.c.row(row);
      found.d.row(row) = first.d.row(row);
    }
    check_against_equations(at, found);
  }
}

TEST_CASE("external inputs count in the derivatives at their time") {
  // m x'' = −10 x + f_ext with f_ext = 0 until 1 s, then 5 N.
  const auto mass = make_mass({}, Integrator::rk4, {});
  const std::array push{ExternalSignal{{.peak = 5, .begin_s = 1, .full_s = 1}, {}}};
  mass->start(0, push);
  Linearisation found;
  REQUIRE(mass->linearise(0.5, std::array{2.0}, found));
  CHECK(found.state_rate == Eigen::Vector2d(100, 2));
  REQUIRE(mass->linearise(1, std::array{2.0}, found));
  CHECK(found.state_rate == Eigen::Vector2d(100, 7));
}

TEST_CASE("what has no independent states or no derivatives provides no Jacobians") {
  auto sampled = state_space();
  sampled.sample_time_s = 0.1;
  const auto pendulum = pendulum_setup();
  std::vector<std::unique_ptr<Subsystem>> all;
  all.push_back(make_crane_mechanics({}, 1, Integrator::i3al, {}));
  all.push_back(make_pendulum(pendulum, Integrator::al_symplectic_euler, {}));
  all.push_back(make_state_space(sampled, {"w"}, Integrator::exact, {}));
  for (const auto& subsystem : all) {
    REQUIRE(subsystem);
    CHECK_FALSE(subsystem->describe().provides_jacobians);
    subsystem->start(0, no_signals(*subsystem));
    Linearisation found;
    const std::vector<double> u(subsystem->describe().inputs.size());
    CHECK_FALSE(subsystem->linearise(0, u, found));
    CHECK(found.a.size() == 0);
  }
}
