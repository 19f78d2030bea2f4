#include "models/oscillator/oscillator.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>

#include "models/oscillator/coupling_spring.hpp"
#include "models/oscillator/masses.hpp"

using namespace macrostep::models;

namespace {

/// The masses of a force–displacement (m1 owns the spring) or displacement–displacement coupling.
std::array<MassSetup, 2> pair_of(const Oscillator& oscillator, MassRole first, MassRole second) {
  std::array<MassSetup, 2> setups{
      MassSetup{.mass = oscillator.masses[0], .coupling = oscillator.coupling, .role = first},
      MassSetup{.mass = oscillator.masses[1],
                .coupling = oscillator.coupling,
                .role = second,
                .counts_coupling_energy = false}};
  share_nominal_velocity(setups);
  return setups;
}

/// A subsystem with the values it exchanges.
struct Unit {
  std::unique_ptr<Subsystem> subsystem;
  std::array<double, 4> y{};
  std::array<ExternalSignal, 1> still{};

  explicit Unit(const MassSetup& setup, Integrator integrator)
      : subsystem(make_mass(setup, integrator, std::nullopt)) {
    REQUIRE(subsystem);
    subsystem->start(0, still);
  }
  void output(std::span<const double> u) { subsystem->outputs(0, u, y); }
  void step(double h, std::initializer_list<double> held) {
    std::array<InputPolynomial, 2> inputs{};
    std::size_t i = 0;
    for (const double value : held) {
      inputs[i++].coefficients[0] = value;
    }
    REQUIRE(subsystem->step({.size_s = h}, {{inputs.data(), i}, 0}).status == StepStatus::ok);
  }
  double energy() const { return y[*subsystem->describe().energy_output]; }
};

/// Final over initial energy of 10 s Jacobi, H = h = 1 ms, inputs held.
double energy_ratio(MassRole first, MassRole second, Integrator integrator) {
  const auto setups = pair_of(linear_oscillator(), first, second);
  Unit m1(setups[0], integrator);
  Unit m2(setups[1], integrator);
  const bool forces = second == MassRole::receiver;
  m2.output(std::array{0.0, 0.0});
  m1.output(std::span(m2.y).first(2));
  double initial = 0;
  for (int n = 0; n < 10000; ++n) {
    const auto y1 = m1.y;
    const auto y2 = m2.y;
    if (n == 0) {
      initial = m1.energy() + m2.energy();
    }
    m1.step(1e-3, {y2[0], y2[1]});
    m1.output(std::span(y2).first(2));  // inputs as applied
    if (forces) {
      m2.step(1e-3, {y1[2]});
      m2.output(std::array{y1[2]});
    } else {
      m2.step(1e-3, {y1[0], y1[1]});
      m2.output(std::span(y1).first(2));
    }
  }
  m1.output(std::span(m2.y).first(2));
  return (m1.energy() + m2.energy()) / initial;
}

template <class Model>
void check_jacobian(const Model& model, const typename Model::State& x,
                    const typename Model::Forcing& at) {
  const auto jacobian = model.jacobian(x, at);
  for (int i = 0; i < 2; ++i) {
    typename Model::State step = Model::State::Zero();
    step[i] = 1e-6;
    const auto difference =
        ((model.derivatives(x + step, at) - model.derivatives(x - step, at)) / 2e-6).eval();
    CHECK((difference - jacobian.col(i)).cwiseAbs().maxCoeff() <
          1e-7 * (1 + jacobian.cwiseAbs().maxCoeff()));
  }
}

}  // namespace

TEST_CASE("the interface of the public benchmark adds the published energy") {
  // Two masses, symplectic Euler, 10 s, H = h = 1 ms: E/E0 = 2.024 with force–displacement; each
  // side with its own spring force has no direct feedthrough and keeps its energy.
  CHECK(energy_ratio(MassRole::owner, MassRole::receiver, Integrator::symplectic_euler) ==
        doctest::Approx(2.024).epsilon(0.0005));
  const double without =
      energy_ratio(MassRole::displacement, MassRole::displacement, Integrator::symplectic_euler);
  CHECK(without < 1.05);
  CHECK(without > 0.95);
}

TEST_CASE("a mass says which output depends on which input, and what its derivative is") {
  auto oscillator = linear_oscillator();
  const auto setups = pair_of(oscillator, MassRole::owner, MassRole::receiver);
  const auto owner = describe_mass(setups[0]);
  REQUIRE(owner.outputs.size() == 4);
  CHECK(owner.outputs[0].name == "x");
  CHECK(owner.outputs[0].derivative == 1);
  CHECK(owner.outputs[0].direct_inputs.empty());
  CHECK(owner.outputs[2].name == "f");
  CHECK(owner.outputs[2].direct_inputs == std::vector<std::size_t>{0});  // no damper
  CHECK(owner.energy_output == 3);
  const auto receiver = describe_mass(setups[1]);
  CHECK(receiver.inputs[0].name == "f_in");
  for (const auto& output : receiver.outputs) {
    CHECK(output.direct_inputs.empty());
  }
  oscillator.coupling.damping_ns_per_m = 1;
  const auto damped = describe_mass(pair_of(oscillator, MassRole::owner, MassRole::receiver)[0]);
  CHECK(damped.outputs[2].direct_inputs == std::vector<std::size_t>{0, 1});
}

TEST_CASE("a mass at rest stays at rest under every integrator") {
  auto oscillator = nonlinear_oscillator();
  oscillator.masses[0].velocity_m_per_s = 0;
  oscillator.masses[1].velocity_m_per_s = 0;
  auto linear = linear_oscillator();
  linear.masses[0].velocity_m_per_s = 0;
  linear.masses[1].velocity_m_per_s = 0;
  for (const auto& rest : {oscillator, linear}) {
    for (const auto& setup : pair_of(rest, MassRole::owner, MassRole::receiver)) {
      for (const auto integrator : mass_integrators(setup)) {
        CAPTURE(to_string(integrator));
        Unit unit(setup, integrator);
        constexpr std::array zeros{0.0, 0.0};
        const auto inputs = unit.subsystem->describe().inputs.size();
        for (int n = 0; n < 100; ++n) {
          inputs == 1 ? unit.step(1e-2, {0}) : unit.step(1e-2, {0, 0});
        }
        unit.output(std::span(zeros).first(inputs));
        CHECK(unit.y == std::array<double, 4>{});
      }
    }
  }
}

TEST_CASE("Jacobians agree with differences of the derivatives") {
  const GroundedMass<NonlinearSpringDamper> ground{{},
                                                   {0, 0},
                                                   {1, 1},
                                                   {.stiffness = 10,
                                                    .damping = 0.5,
                                                    .spring_exponent = 0.5,
                                                    .damper_exponent = 2,
                                                    .smallest_damping = 0,
                                                    .largest_damping = 1e9},
                                                   2};
  const NonlinearSpringDamper clamped{100, 3, 1.5, 1.7, 0.1, 4};
  const CoupledMass<NonlinearSpringDamper> owner{ground, clamped, 1, 1};
  check_jacobian(owner, {0.3, 2}, {{0.1, 1.6}, {5}});
  check_jacobian(owner, {-0.3, -2}, {{0.1, 7}, {5}});  // damper at its largest
  auto stopped = ground;
  stopped.ground.stops = {0.2, 500, 0.1};
  const NonlinearSpringDamper gap{100, 3, 1.5, 1.7, 0.1, 4, 0.3};
  const CoupledMass<NonlinearSpringDamper> contact{stopped, gap, 1, 1};
  check_jacobian(contact, {0.3, 2}, {{0.13, 1.6}, {5}});  // in the stop, the damper coming in
  check_jacobian(contact, {-0.3, -2}, {{0.1, 1}, {5}});   // in both
  check_jacobian(contact, {-0.3, 20}, {{-0.2, 1}, {5}});  // leaving the stop, within the gap
  const ForcedMass<NonlinearSpringDamper> receiver{ground};
  check_jacobian(receiver, {-0.02, 3}, {{8}, {5}});
  const GroundedMass<SquareRootSpringDamper> root_ground{{}, {0, 0}, {1, 1}, {10, 0.5, 0, 1e9}, 2};
  const CoupledMass<SquareRootSpringDamper> root_owner{root_ground, {100, 3, 0.1, 4}, 1, 1};
  check_jacobian(root_owner, {0.3, 2}, {{0.1, 1.6}, {5}});
  check_jacobian(root_owner, {-0.3, -2}, {{0.1, 7}, {5}});  // damper at its largest
  const GroundedMass<LinearSpringDamper> linear{{}, {0, 0}, {1, 1}, {10, 0.5}, 2};
  check_jacobian(CoupledMass<LinearSpringDamper>{linear, {100, 3}, 1, 1}, {0.3, 2}, {{0.1, 1}, {}});
  check_jacobian(ForcedMass<LinearSpringDamper>{linear}, {0.3, 2}, {{0.1}, {}});
}

TEST_CASE("the square-root spring and damper are the general ones with their exponents") {
  constexpr double smallest = 2, largest = 6;
  const SquareRootSpringDamper own{7, 3, smallest, largest};
  const NonlinearSpringDamper general{7, 3, 0.5, 2, smallest, largest};
  for (const double elongation : {0.0, 1e-9, 0.2, -0.2, 3.0}) {
    // Damper at its smallest, free, and at its largest: 3 |η̇| of 0.3, 4.5 and 30.
    for (const double rate : {0.0, 0.1, -0.1, 1.5, -1.5, 10.0, -10.0}) {
      CAPTURE(elongation);
      CAPTURE(rate);
      const auto is = own.law(elongation, rate);
      const auto expected = general.law(elongation, rate);
      CHECK(is.force == own.force(elongation, rate));
      CHECK(is.force == doctest::Approx(expected.force).epsilon(1e-14));
      CHECK(is.per_elongation == doctest::Approx(expected.per_elongation).epsilon(1e-14));
      CHECK(is.per_rate == doctest::Approx(expected.per_rate).epsilon(1e-14));
      CHECK(own.energy(elongation) == doctest::Approx(general.energy(elongation)).epsilon(1e-14));
    }
  }
}

TEST_CASE("a mass on a square-root coupling moves by the law of its parameters, clamps included") {
  CouplingParameters coupling;
  coupling.stiffness_n_per_m = 100;
  coupling.damping_ns_per_m = 3;
  coupling.spring_exponent = 0.5;
  coupling.damper_exponent = 2;
  coupling.smallest_damping_ns_per_m = 2;
  coupling.largest_damping_ns_per_m = 6;
  MassSetup setup{.coupling = coupling, .role = MassRole::owner};
  setup.mass.spring_exponent = 0.5;
  setup.mass.damper_exponent = 2;
  setup.mass.damping_ns_per_m = 0.5;
  const auto law = law_of(coupling);
  const NonlinearSpringDamper ground{setup.mass.stiffness_n_per_m, 0.5, 0.5, 2, 0, 1e300};
  const auto dynamics = mass_dynamics(setup);
  constexpr double x = 0.3, x_in = 0.1, v_in = 0.25, push = 5;
  for (const double relative : {0.1, 1.5, 10.0}) {  // damper at its smallest, free, at its largest
    CAPTURE(relative);
    const double v = v_in + relative;
    std::array<double, 2> rate{};
    dynamics.derivatives(std::array{x, v}, std::array{x_in, v_in}, std::array{push}, rate);
    const double force = push - ground.force(x, v) - law.force(x - x_in, relative);
    CHECK(rate[0] == v);
    CHECK(rate[1] == doctest::Approx(force / setup.mass.mass_kg).epsilon(1e-14));
  }
}

TEST_CASE("several forces act on a mass by their sum") {
  const auto oscillator = stiff_oscillator();
  constexpr double step_s = 1e-3;
  const std::array<InputPolynomial, 3> inputs{InputPolynomial{{1, -2}}, InputPolynomial{{4, 8}},
                                              InputPolynomial{{-2, 1}}};
  const InputPolynomial sum{{3, 7}};
  const auto end_under = [&](int forces, Integrator integrator,
                             std::span<const InputPolynomial> polynomials) {
    const auto mass =
        make_mass({.mass = oscillator.masses[0], .forces = forces}, integrator, step_s / 4);
    const std::array push{ExternalSignal{Signal{.base = 0.5}}};
    mass->start(0, push);
    for (int i = 0; i < 10; ++i) {
      REQUIRE(mass->step({.index = i, .start_s = i * step_s, .size_s = step_s}, {polynomials, 1})
                  .status == StepStatus::ok);
    }
    SavedState end;
    mass->save(end);
    return end.values;
  };
  for (const auto integrator : {Integrator::forward_euler, Integrator::symplectic_euler,
                                Integrator::trapezoidal, Integrator::rk4}) {
    CAPTURE(to_string(integrator));
    CHECK(end_under(3, integrator, inputs) == end_under(1, integrator, {&sum, 1}));
  }
}

TEST_CASE("a mass that has stepped with other sizes steps as one that has not") {
  const auto oscillator = stiff_oscillator();
  const MassSetup setup{.mass = oscillator.masses[0]};
  const InputPolynomial force{{3, 7}};
  const std::array push{ExternalSignal{Signal{.base = 0.5}}};
  for (const auto integrator : mass_integrators(setup)) {
    CAPTURE(to_string(integrator));
    const auto mass = make_mass(setup, integrator, std::nullopt);
    mass->start(0, push);
    double time_s = 0;
    for (const double size_s : {1e-3, 5e-4, 1e-3}) {
      SavedState before, after, expected;
      mass->save(before);
      const auto fresh = make_mass(setup, integrator, std::nullopt);
      fresh->start(0, push);
      fresh->restore(before);
      const MacroStep macro{.start_s = time_s, .size_s = size_s};
      REQUIRE(mass->step(macro, {{&force, 1}, 1}).status == StepStatus::ok);
      REQUIRE(fresh->step(macro, {{&force, 1}, 1}).status == StepStatus::ok);
      mass->save(after);
      fresh->save(expected);
      if (integrator != Integrator::cvode) {  // it goes on with the steps that it has found
        CHECK(after.values == expected.values);
      }
      time_s += size_s;
    }
  }
}

TEST_CASE("spring energy is the work of the spring force") {
  // Midpoint rule on 1000 parts: relative error near 1e-6 except close to the root's kink.
  for (const double exponent : {0.5, 1.0, 1.5}) {
    const NonlinearSpringDamper spring{7, 0, exponent, 1, 0, 0};
    double work = 0;
    for (int i = 0; i < 1000; ++i) {
      work += spring.force((i + 0.5) * 2e-3, 0) * 2e-3;
    }
    CHECK(spring.energy(2) == doctest::Approx(work).epsilon(1e-4));
    CHECK(spring.energy(-2) == spring.energy(2));
    CHECK(spring.force(-2, 0) == -spring.force(2, 0));
  }
  CHECK(NonlinearSpringDamper{7, 0, 0.5, 1, 0, 0}.energy(4) == doctest::Approx(7 * 2.0 / 3 * 8));
}

TEST_CASE("backlash presses outside of its gap only, and never jumps or pulls") {
  const NonlinearSpringDamper coupling{100, 3, 1, 1, 0, 1e9, 0.2};
  CHECK(coupling.force(0.1, 50) == 0);
  CHECK(coupling.force(-0.05, 50) == 0);
  CHECK(coupling.energy(0.1) == 0);
  // 0.3 beyond the gap, where the damper acts in full.
  CHECK(coupling.force(0.4, 2) == doctest::Approx(100 * 0.3 + 3 * 2));
  CHECK(coupling.force(-0.4, -2) == -coupling.force(0.4, 2));
  CHECK(coupling.energy(-0.4) == doctest::Approx(0.5 * 100 * 0.3 * 0.3));
  CHECK(coupling.force(0.4, -1e3) == 0);  // it would pull
  // Just in contact at 50 m/s: 1e-6 m times 100 N/m and 150 N / 0.02 m.
  CHECK(coupling.force(0.1 + 1e-6, 50) == doctest::Approx(1e-6 * (100 + 150 / 0.02)));
}

TEST_CASE("end stops press from their distance on, and never jump or pull") {
  const NonlinearSpringDamper ground{10, 0, 1, 1, 0, 1e9, 0, {0.5, 1e4, 0.1}};
  CHECK(ground.force(0.5, 5) == 5);
  CHECK(ground.force(0.6, 0) == doctest::Approx(6 + 1e4 * 0.1));
  CHECK(ground.force(-0.6, 0) == -ground.force(0.6, 0));
  CHECK(ground.force(0.6, 2) == doctest::Approx(6 + 1e4 * 0.1 * 1.2));
  CHECK(ground.force(0.6, -20) == 6);  // the stop would pull
  CHECK(ground.force(0.5 + 1e-9, 5) == doctest::Approx(5));
  CHECK(ground.energy(0.6) == doctest::Approx(0.5 * (10 * 0.36 + 1e4 * 0.01)));
}

TEST_CASE("a clamped damper keeps its coefficient between its limits") {
  // Haid et al. (2022), eq. 43 with d_k = 500, n_d = 2, 10 … 1e4 N s/m.
  const NonlinearSpringDamper damper{0, 500, 1, 2, 10, 1e4};
  CHECK(damper.force(0, 2) == doctest::Approx(500 * 4));
  CHECK(damper.force(0, -2) == doctest::Approx(-500 * 4));
  CHECK(damper.force(0, 0.001) == doctest::Approx(10 * 0.001));
  CHECK(damper.force(0, 100) == doctest::Approx(1e4 * 100));
  CHECK(NonlinearSpringDamper{0, 500, 1, 1, 10, 1e4}.force(0, 3) == 1500);
}

TEST_CASE("the stiff oscillator's masses are the subsystems of its paper") {
  // Haid et al. (2022), eq. 27: II owns the coupling. Rows of ẋ and of F, at one state and input.
  const auto oscillator = stiff_oscillator();
  const auto dynamics = mass_dynamics(
      {.mass = oscillator.masses[1], .coupling = oscillator.coupling, .role = MassRole::owner});
  const std::array x{2e-3, -0.5};
  const std::array u{1e-3, 0.25};
  std::array<double, 2> rate{};
  std::array<double, 4> y{};
  dynamics.derivatives(x, u, std::array{0.0}, rate);
  dynamics.outputs(x, u, std::array{0.0}, y);
  CHECK(rate[0] == x[1]);
  CHECK(rate[1] == doctest::Approx(-(2e5 + 1e7) / 10 * x[0] - (500 + 2) / 10.0 * x[1] +
                                   2e5 / 10 * u[0] + 500 / 10.0 * u[1]));
  CHECK(y[2] == doctest::Approx(2e5 * (x[0] - u[0]) + 500 * (x[1] - u[1])));
  CHECK(dynamics.linear);
}

TEST_CASE("the parts of the divided mass move as the whole") {
  const auto whole = linear_oscillator();
  for (const int count : {2, 3, 16}) {
    const auto divided = n_mass_oscillator(count);
    REQUIRE(divided.masses.size() == static_cast<std::size_t>(count));
    const auto force = [](const Oscillator& oscillator) {
      const auto dynamics = mass_dynamics(
          {.mass = oscillator.masses[0], .coupling = oscillator.coupling, .role = MassRole::owner});
      std::array<double, 2> rate{};
      std::array<double, 4> y{};
      dynamics.derivatives(std::array{0.3, 2.0}, std::array{0.1, 1.0}, std::array{0.0}, rate);
      dynamics.outputs(std::array{0.3, 2.0}, std::array{0.1, 1.0}, std::array{0.0}, y);
      return std::pair{rate[1], y[2]};
    };
    CHECK(force(divided).first == doctest::Approx(force(whole).first));
    CHECK((count - 1) * force(divided).second == doctest::Approx(force(whole).second));
    const MassSetup last{.mass = divided.masses.back(), .forces = count - 1};
    CHECK(describe_mass(last).inputs.size() == static_cast<std::size_t>(count - 1));
    const auto dynamics = mass_dynamics(last);
    const std::vector<double> forces(static_cast<std::size_t>(count - 1), 2.5);
    std::array<double, 2> rate{};
    dynamics.derivatives(std::array{0.0, 0.0}, forces, std::array{0.5}, rate);
    CHECK(rate[1] == doctest::Approx(2.5 * (count - 1) + 0.5));
  }
}

TEST_CASE("a spring between two masses pulls both alike") {
  const auto oscillator = nonlinear_oscillator();
  const auto setups = pair_of(oscillator, MassRole::receiver, MassRole::receiver);
  const auto setup = coupling_spring_between(oscillator.coupling, setups[0], setups[1]);
  CHECK(make_coupling_spring(setup, Integrator::rk4) == nullptr);
  const auto spring = make_coupling_spring(setup, Integrator::exact);
  spring->start(0, {});
  std::array<double, 3> y{};
  spring->outputs(0, std::array{4.5, 0.0, 0.5, 0.0}, y);
  CHECK(y[1] == doctest::Approx(100 * 2.0));
  CHECK(y[0] == -y[1]);
  CHECK(y[2] == doctest::Approx(100 * 2.0 / 3 * 8));
}

TEST_CASE("impossible masses are named errors") {
  const auto names = [](const auto& parameters, auto table) {
    std::string list;
    for (const auto& error : check(parameters, table)) {
      list += error.name + " ";
    }
    return list;
  };
  CHECK(names(MassParameters{}, linear_mass_parameters()) == "");
  CHECK(names(MassParameters{.mass_kg = 0}, linear_mass_parameters()) == "m ");
  CHECK(names(MassParameters{.stiffness_n_per_m = -1}, stiff_mass_parameters()) == "c ");
  CHECK(names(MassParameters{.spring_exponent = 0}, nonlinear_mass_parameters()) == "n_s ");
  CHECK(names(CouplingParameters{.stiffness_n_per_m = std::nan("")}, stiff_coupling_parameters()) ==
        "c_k ");
  CHECK(names(CouplingParameters{.smallest_damping_ns_per_m = 2, .largest_damping_ns_per_m = 1},
              nonlinear_coupling_parameters()) == "d_min ");
  CHECK(make_mass({}, Integrator::i1al, std::nullopt) == nullptr);
}
