#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>

#include "models/crane/crane_dynamics.hpp"
#include "models/integrators/steppers.hpp"
#include "models/manipulator/hydraulic_cylinder.hpp"
#include "models/manipulator/manoeuvres.hpp"

using namespace macrostep::models;

namespace {

using Mechanics = ManipulatorMechanics;
using Cylinder = HydraulicCylinder;

ManipulatorEquilibrium equilibrium() {
  return Mechanics(ManipulatorMechanicsParameters{}).equilibrium();
}

Cylinder cylinder(ManipulatorCoupling coupling = ManipulatorCoupling::force_displacement) {
  return {HydraulicCylinderParameters{}, equilibrium(), coupling};
}

std::array<double, 4> outputs(const Mechanics& model, const Mechanics::State& x, double force_n) {
  std::array<double, 4> y{};
  model.outputs(x, {{force_n}, {}}, y);
  return y;
}

/// Largest difference of a model's Jacobian from central differences, each column scaled by how
/// much its state matters: a step of 1e-6 of the nominal state.
template <class Model>
double jacobian_error(const Model& model, const typename Model::State& x,
                      const typename Model::Forcing& at) {
  const auto jacobian = model.jacobian(x, at);
  double worst = 0;
  for (int k = 0; k < x.size(); ++k) {
    const double step = 1e-6 * model.nominal_state()[k];
    const typename Model::State by = step * Model::State::Unit(k);
    const typename Model::State slope =
        (model.derivatives(x + by, at) - model.derivatives(x - by, at)) / (2 * step);
    worst = std::max(worst, (slope - jacobian.col(k)).norm() / (1 + slope.norm()));
  }
  return worst;
}

/// log2 of the ratio of the errors of `count` and 2·`count` steps, against 64 times as many.
template <class Stepper, class Model, class Forcing>
double observed_order(const Model& model, const typename Model::State& start,
                      const Forcing& forcing, double duration_s, int count) {
  const auto end = [&](int steps) {
    auto x = start;
    std::int64_t evaluations = 0;
    for (int i = 0; i < steps; ++i) {
      REQUIRE(Stepper::advance(model, forcing, duration_s / steps, x, evaluations));
    }
    return x;
  };
  const auto reference = end(64 * count);
  return std::log2((end(count) - reference).norm() / (end(2 * count) - reference).norm());
}

}  // namespace

TEST_CASE(
    "the manipulator rests under 8829 N, with the printed pressures and "
    "spool position") {
  const Mechanics mechanics(ManipulatorMechanicsParameters{});
  const auto rest = mechanics.equilibrium();
  CHECK(rest.length_m == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(rest.force_n == doctest::Approx(8829).epsilon(1e-12));
  CHECK(mechanics.derivatives(mechanics.initial_state(), {{rest.force_n}, {}}).norm() < 1e-12);

  // κ_0 is printed with 8 digits, the pressures with 8.
  const auto pressures = rest_of(HydraulicCylinderParameters{}, rest.force_n);
  CHECK(std::abs(pressures.spool - 0.45434559) < 5e-9);
  CHECK(std::abs(pressures.pressure_1_pa - 3.1708462e6) < 0.5);
  CHECK(std::abs(pressures.pressure_2_pa - 4.5291538e6) < 0.5);
  const auto hydraulics = cylinder();
  const Cylinder::Forcing still{{rest.length_m, 0}, {pressures.spool}};
  // Flows of 1e-4 m³/s cancel to rounding; times β/V ≈ 1e12 Pa/m³.
  CHECK(hydraulics.derivatives(hydraulics.initial_state(), still).norm() < 1e-4);
  std::array<double, 3> y{};
  hydraulics.outputs(hydraulics.initial_state(), still, y);
  CHECK(y[0] == doctest::Approx(rest.force_n).epsilon(1e-12));
}

TEST_CASE("the manipulator's mechanics is the crane's with one actuator") {
  const Mechanics mechanics(ManipulatorMechanicsParameters{});
  const auto crane = crane_dynamics(CraneParameters{}, 1);
  const Mechanics::State x(0.7, 4.2, 0.5, -0.9);
  const std::array force{5000.0};
  std::array<double, 3> expected{};
  crane.outputs({x.data(), 4}, force, {}, expected);
  const auto y = outputs(mechanics, x, force[0]);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(y[i] == doctest::Approx(expected[i]).epsilon(1e-14));
  }
}

TEST_CASE(
    "the mechanics gains the work of the force and loses that of the "
    "viscous term") {
  // Ė = (f − c ṡ) ṡ, by central differences of the energy along the motion.
  constexpr double viscous = 2e4;
  const Mechanics mechanics(ManipulatorMechanicsParameters{}, viscous);
  const Mechanics::State x(0.7, 4.2, 0.5, -0.9);
  constexpr double force = 5000;
  constexpr double epsilon = 1e-6;
  const Mechanics::State rate = mechanics.derivatives(x, {{force}, {}});
  const double gain = (outputs(mechanics, x + epsilon * rate, force)[3] -
                       outputs(mechanics, x - epsilon * rate, force)[3]) /
                      (2 * epsilon);
  const double s_dot = outputs(mechanics, x, force)[1];
  CHECK(gain == doctest::Approx((force - viscous * s_dot) * s_dot).epsilon(1e-7));
}

TEST_CASE("the Jacobians of the manipulator are the derivatives of its equations") {
  // Truncation 1e-12 and rounding 1e-10 of central differences, relative.
  const Mechanics mechanics(ManipulatorMechanicsParameters{}, 1e4);
  CHECK(jacobian_error(mechanics, {0.7, 4.2, 0.5, -0.9}, {{5000}, {}}) < 1e-8);
  const auto hydraulics = cylinder();
  CHECK(jacobian_error(hydraulics, {3.2e6, 4.1e6}, {{0.55, 0.3}, {0.4}}) < 1e-7);
  // Above the pump's pressure and below the tank's, where one of the two flows has stopped.
  CHECK(jacobian_error(hydraulics, {8.2e6, 0.05e6}, {{0.45, -0.3}, {0.6}}) < 1e-7);
}

TEST_CASE("the Newton update of the manipulator solves the linear system of its Jacobian") {
  const Mechanics mechanics(ManipulatorMechanicsParameters{}, 1e4);
  const Mechanics::State x(0.7, 4.2, 0.5, -0.9), known(0.72, 4.15, 0.4, -1.1);
  const Mechanics::Forcing at{{5000}, {}};
  constexpr double gamma = 5e-3;
  const Mechanics::State right = known + gamma * mechanics.derivatives(x, at) - x;
  const Eigen::Matrix4d left = Eigen::Matrix4d::Identity() - gamma * mechanics.jacobian(x, at);
  const Mechanics::State update = mechanics.newton(at, gamma)(x, known);
  CHECK((left * update - right).norm() < 1e-12 * right.norm());
}

TEST_CASE(
    "the force depends directly on the rate only if the viscous term is "
    "in it") {
  CHECK(cylinder().description().outputs[0].direct_inputs == std::vector<std::size_t>{1});
  const auto without = cylinder(ManipulatorCoupling::pressure_displacement);
  CHECK(without.description().outputs[0].direct_inputs.empty());
  std::array<double, 3> y{};
  without.outputs(without.initial_state(), {{0.5, 10}, {0.5}}, y);
  CHECK(y[0] == doctest::Approx(8829).epsilon(1e-12));
}

TEST_CASE_TEMPLATE("a stepper shows its order on the manipulator's mechanics", Stepper,
                   SymplecticEuler, Trapezoidal, Rk4) {
  const Mechanics mechanics(ManipulatorMechanicsParameters{}, 1e3);
  const auto push = [](double) { return Mechanics::Forcing{{6000}, {}}; };
  const double order = std::is_same_v<Stepper, Rk4>           ? 4
                       : std::is_same_v<Stepper, Trapezoidal> ? 2
                                                              : 1;
  const double observed = observed_order<Stepper>(mechanics, mechanics.initial_state(), push, 0.5,
                                                  std::is_same_v<Stepper, Rk4> ? 20 : 200);
  CHECK(observed == doctest::Approx(order).epsilon(0.1));
}

TEST_CASE_TEMPLATE("a stepper shows its order on the manipulator's hydraulics", Stepper,
                   ForwardEuler, Trapezoidal, Rk4) {
  // Steady motion of the piston, valve off its rest. The pressures, with time constants of half a
  // millisecond, keep away from pump and tank.
  const auto hydraulics = cylinder();
  const auto drive = [](double) { return Cylinder::Forcing{{0.5, 0.01}, {0.44}}; };
  const double order = std::is_same_v<Stepper, Rk4>           ? 4
                       : std::is_same_v<Stepper, Trapezoidal> ? 2
                                                              : 1;
  const double observed = observed_order<Stepper>(hydraulics, hydraulics.initial_state(), drive,
                                                  1e-3, std::is_same_v<Stepper, Rk4> ? 10 : 50);
  CHECK(observed == doctest::Approx(order).epsilon(0.1));
}

TEST_CASE("every offered integrator starts the manipulator at rest and keeps it there") {
  const ManipulatorMechanicsParameters arm;
  const HydraulicCylinderParameters fluid;
  const double spool = rest_of(fluid, equilibrium().force_n).spool;
  const std::array<ExternalSignal, 1> held{ExternalSignal{.signal = {.base = spool}}};
  const auto at = [](double value) { return InputPolynomial{.coefficients = {value}}; };
  const MacroStep macro{.index = 0, .start_s = 0, .size_s = 1e-3};
  for (const auto integrator : manipulator_mechanics_integrators()) {
    const auto mechanics = make_manipulator_mechanics(arm, 0, integrator, std::nullopt);
    REQUIRE(mechanics != nullptr);
    mechanics->start(0, {});
    const std::array force{equilibrium().force_n};
    const std::array input{at(force[0])};
    REQUIRE(mechanics->step(macro, {.polynomials = input, .degree = 0}).status == StepStatus::ok);
    std::array<double, 4> y{};
    mechanics->outputs(1e-3, force, y);
    CHECK(y[0] == doctest::Approx(0.5).epsilon(1e-12));
    CHECK(std::abs(y[1]) < 1e-12);
  }
  for (const auto integrator : hydraulic_cylinder_integrators()) {
    const auto hydraulics = make_hydraulic_cylinder(
        fluid, equilibrium(), ManipulatorCoupling::force_displacement, integrator, 1e-4);
    REQUIRE(hydraulics != nullptr);
    hydraulics->start(0, held);
    const std::array motion{0.5, 0.0};
    const std::array input{at(motion[0]), at(motion[1])};
    REQUIRE(hydraulics->step(macro, {.polynomials = input, .degree = 0}).status == StepStatus::ok);
    std::array<double, 3> y{};
    hydraulics->outputs(1e-3, motion, y);
    CHECK(y[0] == doctest::Approx(8829).epsilon(1e-11));
  }
}

TEST_CASE("the spool's end stops bound the valve's opening") {
  const auto hydraulics = cylinder();
  const Cylinder::State x(3e6, 4e6);
  CHECK(hydraulics.derivatives(x, {{0.5, 0}, {1.2}}) == hydraulics.derivatives(x, {{0.5, 0}, {1}}));
  CHECK(hydraulics.derivatives(x, {{0.5, 0}, {-0.2}}) ==
        hydraulics.derivatives(x, {{0.5, 0}, {0}}));
}

TEST_CASE("manoeuvre 2 as a table errs by 2e-6 of the rest position") {
  constexpr double rest = 0.45;
  // Corners of the amplitude: 10 %·1 s, the sine at a quarter period after 3 s, and the end.
  CHECK(manoeuvre_2_at(rest, 0) == rest);
  CHECK(manoeuvre_2_at(rest, 3.125) == doctest::Approx(0.9 * rest).epsilon(1e-12));
  CHECK(manoeuvre_2_at(rest, 0.125) == doctest::Approx(rest * (1 - 0.0125)).epsilon(1e-12));
  CHECK(manoeuvre_2_at(rest, 8.625) == doctest::Approx(rest * (1 - 0.0375)).epsilon(1e-12));
  CHECK(manoeuvre_2_at(rest, 9.5) == rest);
  const auto table = manoeuvre_2(rest);
  REQUIRE(table.time_s.size() == 10001);
  double worst = 0;
  for (std::size_t i = 1; i < table.time_s.size(); ++i) {
    const double middle = (table.time_s[i - 1] + table.time_s[i]) / 2;
    const double line = (table.value[i - 1] + table.value[i]) / 2;
    worst = std::max(worst, std::abs(line - manoeuvre_2_at(rest, middle)));
  }
  CHECK(worst < 2.05e-6 * rest);  // (2π·2 Hz)²·0.1·h²/8 = 1.97e-6
}

TEST_CASE("impossible manipulators are named errors") {
  const auto names = [](const auto& errors) {
    std::string list;
    for (const auto& error : errors) {
      list += error.name + " ";
    }
    return list;
  };
  using M = ManipulatorMechanicsParameters;
  CHECK(names(check(M{})) == "");
  CHECK(names(check(M{{.link_1_length_m = -1}})) == "L ");
  CHECK(names(check(M{{.pivot_x_m = 0.5, .theta_1_rad = 0}})) == "theta_1 ");  // no length
  CHECK(names(check(M{{.pivot_x_m = 2, .theta_1_rad = 0}})) == "theta_1 ");    // no lever arm
  using C = HydraulicCylinderParameters;
  const auto at_rest = equilibrium();
  CHECK(names(check(C{}, at_rest)) == "");
  CHECK(names(check(C{.piston_area_m2 = 0.001}, at_rest)) == "p_P ");
  CHECK(names(check(C{.tank_pressure_pa = 8e6}, at_rest)) == "p_T ");
  CHECK(names(check(C{.compressibility_slope_per_pa2 = -1e-16}, at_rest)) == "b ");
}
