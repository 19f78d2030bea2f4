#include "models/hydraulic_actuator/hydraulic_actuator.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <type_traits>

using namespace macrostep::models;

namespace {

constexpr HydraulicEquilibrium rest{.length_m = 0.5, .force_n = 8829};

HydraulicActuator actuator() {
  return {HydraulicActuatorParameters{}, rest};
}

HydraulicActuator::Forcing forcing(double s, double s_dot, double voltage) {
  return {{s, s_dot}, {voltage}};
}

double force_n(const HydraulicActuator& model, const HydraulicActuator::State& state,
               const HydraulicActuator::Forcing& at) {
  std::array<double, 1> y{};
  model.outputs(state, at, y);
  return y[0];
}

}  // namespace

TEST_CASE("the actuator starts at rest, holding the force it was given") {
  const auto model = actuator();
  const auto still = forcing(rest.length_m, 0, 0);
  CHECK(force_n(model, model.initial_state(), still) == doctest::Approx(8829).epsilon(1e-12));
  CHECK(model.derivatives(model.initial_state(), still).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("an opened valve raises the piston side and drains the rod side") {
  const auto model = actuator();
  auto state = model.initial_state();
  state[3] = 10;
  const auto up = model.derivatives(state, forcing(rest.length_m, 0, 10));
  CHECK(up[2] > 0);
  CHECK(up[1] < 0);
  state[3] = -10;
  const auto down = model.derivatives(state, forcing(rest.length_m, 0, -10));
  CHECK(down[2] < 0);
  CHECK(down[1] > 0);
}

TEST_CASE("compression stiffens the closed cylinder as its volumes say") {
  // Closed valve: ṗ1 = −A1 ṡ/C1 with C1 = A1 l1 (1/Bo + 1/Bc) + Vh1 (1/Bo + 1/Bh), by hand.
  const auto model = actuator();
  const double area = std::acos(-1.0) / 4 * 0.08 * 0.08;
  const double compliance =
      area * 0.05 * (1 / 1500e6 + 1 / 31500e6) + 3.14e-5 * (1 / 1500e6 + 1 / 150e6);
  const auto rate = model.derivatives(model.initial_state(), forcing(rest.length_m, -0.1, 0));
  CHECK(rate[0] == doctest::Approx(area * 0.1 / compliance).epsilon(1e-12));
}

TEST_CASE("end dampers push back inside their length only") {
  const HydraulicActuatorParameters p;
  const auto model = actuator();
  const auto state = model.initial_state();
  const double inside = 0.004;  // m into the damper, at either end
  const double free = force_n(model, state, forcing(0.5, 0, 0));
  const double retracted = 0.5 - p.piston_side_length_m + p.damper_length_m - inside;
  const double extended = 0.5 + p.rod_side_length_m - p.damper_length_m + inside;
  CHECK(force_n(model, state, forcing(retracted, 0, 0)) - free ==
        doctest::Approx(p.damper_stiffness_n_per_m * inside));
  CHECK(force_n(model, state, forcing(extended, 0, 0)) - free ==
        doctest::Approx(-p.damper_stiffness_n_per_m * inside));
  CHECK(force_n(model, state, forcing(0.51, 0, 0)) == free);
}

TEST_CASE("the structured solve inverts I − γ ∂f/∂x") {
  // (I − γJ)Δ is formed by central differences of f. States cover both valve directions and the
  // linear and square-root branches of the orifices.
  const auto model = actuator();
  using State = HydraulicActuator::State;
  const std::array states{State(3.1e6, 3.4e6, 3.0e6, 6), State(2.0e6, 5.0e6, 2.9e6, -4),
                          State(5.0e6, 0.15e6, 7.5e6, 2)};
  const State scale(1e6, 1e6, 1e6, 10);
  constexpr double gamma = 5e-5;
  for (const auto& state : states) {
    const auto at = forcing(0.52, 0.08, 3);
    const State right(2e4, -3e4, 1e4, 0.2);
    const State known = right + state - gamma * model.derivatives(state, at);
    const auto update = model.newton<double>(model.drive<double>(at), gamma);
    const State solution = update(state, known);
    // J Δ by a directional difference along the solution.
    const double epsilon = 1e-4;
    const State ahead = model.derivatives(state + epsilon * solution, at);
    const State behind = model.derivatives(state - epsilon * solution, at);
    const State back = solution - gamma * (ahead - behind) / (2 * epsilon);
    CHECK(((back - right).array() / scale.array()).abs().maxCoeff() < 1e-8);
  }
}

TEST_CASE("orifices are continuous where they turn linear") {
  const double linear = 2e5;
  const double inverse_root = 1 / std::sqrt(linear);
  const auto below = detail::orifice_root(linear * (1 - 1e-12), linear, inverse_root);
  const auto above = detail::orifice_root(linear * (1 + 1e-12), linear, inverse_root);
  CHECK(below == doctest::Approx(above).epsilon(1e-11));
  CHECK(detail::orifice_root(-4e5, linear, inverse_root) == doctest::Approx(-std::sqrt(4e5)));
}

TEST_CASE("an orifice has the same flow bit for bit, with and without what its slope needs") {
  const double linear = 2e5;
  const double inverse_root = 1 / std::sqrt(linear);
  for (const double difference : {-7.6e6, -2e5, -1.9e5, 0.0, 1.9e5, 2e5, 7.6e6}) {
    CAPTURE(difference);
    CHECK(detail::orifice_root(difference, linear, inverse_root) ==
          detail::orifice_root_and_size(difference, linear, inverse_root).value);
  }
}

TEST_CASE_TEMPLATE("a stepper shows its order on the actuator", Stepper, ForwardEuler,
                   Trapezoidal) {
  // Smooth stretch: valve held open, piston moving steadily, pressures away from the 2 bar kink.
  // Errors against a run 64 times finer; ratio of errors at h and h/2 gives 2^order.
  const auto model = actuator();
  const auto drive = [&](double) { return model.drive<double>(forcing(0.5, 0.05, 5)); };
  const auto pressures = [&](int steps) {
    auto state = model.initial_state();
    state[3] = 5;
    const double h = 0.005 / steps;
    std::int64_t evaluations = 0;
    for (int i = 0; i < steps; ++i) {
      REQUIRE(Stepper::advance(model, drive, h, state, evaluations));
    }
    return state;
  };
  const auto reference = pressures(400 * 64);
  const double coarse = (pressures(400) - reference).head(3).norm();
  const double fine = (pressures(800) - reference).head(3).norm();
  const double order = std::is_same_v<Stepper, ForwardEuler> ? 1 : 2;
  CHECK(std::log2(coarse / fine) == doctest::Approx(order).epsilon(0.1));
}

TEST_CASE("impossible actuators are named errors") {
  const auto names = [](const HydraulicActuatorParameters& p, HydraulicEquilibrium at = rest) {
    std::string list;
    for (const auto& error : check(p, at)) {
      list += error.name + " ";
    }
    return list;
  };
  CHECK(names({}) == "");
  CHECK(names({.hose_1_volume_m3 = -1e-5}) == "V_h1 ");
  CHECK(names({.rod_diameter_m = 0.09}) == "d_2 ");
  CHECK(names({.tank_pressure_pa = 8e6}) == "p_T ");
  CHECK(names({}, {.length_m = 0.5, .force_n = -1e6}) == "p_20 ");
}

TEST_CASE("a macro-step holds the fewest equal micro-steps not longer than the maximum") {
  CHECK(micro_steps_in(1e-3, std::nullopt) == 1);
  CHECK(micro_steps_in(1e-3, 1e-4) == 10);  // 1e-3/1e-4 rounds to slightly more than 10
  CHECK(micro_steps_in(1.05e-3, 1e-4) == 11);
  CHECK(micro_steps_in(5e-5, 1e-4) == 1);
}
