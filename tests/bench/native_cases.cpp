#include "tests/bench/native_cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "models/pipe_volume/pipe_volume.hpp"
#include "tests/bench/bare/hydraulics.hpp"
#include "tests/bench/bare/masses.hpp"
#include "tests/bench/bare/pendula.hpp"

namespace macrostep::bench {

namespace {

using enum Integrator;
using models::MassRole;
using Made = std::unique_ptr<models::Subsystem>;

/// The model is made for h; the constant value drives the external input, if there is one.
template <Integrator integrator, class Model>
NativeCase native_case(std::string_view model_name, Made made, const Model& model, double h,
                       const Quadratics<Model::inputs>& inputs, double external) {
  std::shared_ptr<models::Subsystem> subsystem = std::move(made);
  const double macro_step_s = native_micro_steps * h;
  const std::vector<models::ExternalSignal> externals(
      subsystem->describe().externals.size(), models::ExternalSignal{.signal = {.base = external}});
  std::vector<models::InputPolynomial> polynomials(Model::inputs);
  for (std::size_t i = 0; i < Model::inputs; ++i) {
    std::copy(inputs.c[i].begin(), inputs.c[i].end(), polynomials[i].coefficients.begin());
  }
  subsystem->start(0, externals);
  Numbers<Model::states> start;
  std::ranges::copy(*subsystem->state(), start.begin());
  NativeCase made_case;
  made_case.name = std::string(model_name) + "/" + std::string(to_string(integrator));
  made_case.states = Model::states;
  made_case.engine = [=](std::span<double> end) {
    subsystem->start(0, externals);
    bool solved = true;
    for (int n = 0; n < native_macro_steps; ++n) {
      const auto result =
          subsystem->step({.index = n, .start_s = n * macro_step_s, .size_s = macro_step_s},
                          {.polynomials = polynomials, .degree = 2});
      solved = solved && result.status == models::StepStatus::ok;
    }
    std::ranges::copy(*subsystem->state(), end.begin());
    return solved;
  };
  made_case.bare = [=](std::span<double> end) {
    auto state = start;
    bool solved = true;
    for (int n = 0; n < native_macro_steps; ++n) {
      solved = bare_micro_steps<integrator>(model, state, inputs, h, native_micro_steps) && solved;
    }
    std::ranges::copy(state, end.begin());
    return solved;
  };
  return made_case;
}

/// `make` gives the subsystem for an integrator and h.
template <Integrator... integrators, class Make, class Model, std::size_t inputs>
void add(std::vector<NativeCase>& cases, std::string_view name, const Make& make,
         const Model& model, double h, const Quadratics<inputs>& polynomials, double external) {
  (cases.push_back(
       native_case<integrators>(name, make(integrators), model, h, polynomials, external)),
   ...);
}

const Quadratics<2> other_mass{{{{1, 2, -1}, {10, -5, 3}}}};
const Quadratics<1> one_force{{{{20, -30, 15}}}};
constexpr double external_force_n = 3;

void add_linear_masses(std::vector<NativeCase>& cases) {
  constexpr double h = 1e-4;
  auto mass = models::linear_oscillator().masses.front();
  auto coupling = models::linear_oscillator().coupling;
  mass.damping_ns_per_m = 0.5;
  coupling.damping_ns_per_m = 0.2;
  const double m = mass.mass_kg;
  const auto made = [&](MassRole role, int forces) {
    return [=](Integrator integrator) {
      return models::make_mass({.mass = mass, .coupling = coupling, .role = role, .forces = forces},
                               integrator, h);
    };
  };
  const double kc = coupling.stiffness_n_per_m / m;
  const double cc = coupling.damping_ns_per_m / m;
  const double k = mass.stiffness_n_per_m / m;
  const double c = mass.damping_ns_per_m / m;
  const double load = external_force_n / m;
  add<forward_euler, symplectic_euler, trapezoidal, rk4>(
      cases, "linear_mass_with_spring", made(MassRole::owner, 1),
      BareLinearMass<2>(k + kc, c + cc, load, {kc, cc}, h), h, other_mass, external_force_n);
  add<forward_euler, symplectic_euler, trapezoidal, rk4>(
      cases, "linear_mass_with_force", made(MassRole::receiver, 1),
      BareLinearMass<1>(k, c, load, {1 / m}, h), h, one_force, external_force_n);
  const Quadratics<2> two_forces{{{{20, -30, 15}, {-5, 10, 3}}}};
  add<forward_euler, symplectic_euler, trapezoidal, rk4>(
      cases, "n_mass_last_of_3", made(MassRole::receiver, 2),
      BareLinearMass<2>(k, c, load, {1 / m, 1 / m}, h), h, two_forces, external_force_n);
}

void add_nonlinear_masses(std::vector<NativeCase>& cases) {
  constexpr double h = 1e-4;
  auto mass = models::nonlinear_oscillator().masses.front();
  auto coupling = models::nonlinear_oscillator().coupling;
  mass.damping_ns_per_m = 0.05;
  coupling.damping_ns_per_m = 0.02;
  const auto add_role = [&]<bool coupled>(std::string_view name, MassRole role,
                                          const auto& polynomials) {
    const models::MassSetup setup{.mass = mass, .coupling = coupling, .role = role};
    const auto outputs = models::describe_mass(setup).outputs;
    add<forward_euler, symplectic_euler, trapezoidal, rk4>(
        cases, name, [=](Integrator integrator) { return models::make_mass(setup, integrator, h); },
        BareNonlinearMass<coupled>(mass, coupling, external_force_n,
                                   {outputs[0].nominal, outputs[1].nominal}, h),
        h, polynomials, external_force_n);
  };
  add_role.template operator()<true>("nonlinear_mass_with_spring", MassRole::owner, other_mass);
  add_role.template operator()<false>("nonlinear_mass_with_force", MassRole::receiver, one_force);
}

void add_pendula(std::vector<NativeCase>& cases) {
  constexpr double angular_h = 1e-4;
  constexpr double cartesian_h = 4e-3;  // the rounding of the rod's length over h is one of speed
  models::CoupledPendula pendula;
  pendula.coupling.damping_ns_per_m = 0.5;
  const auto add_role = [&]<bool sprung>(std::string_view name, models::PendulumRole role,
                                         const auto& polynomials) {
    const models::PendulumSetup setup{.pendulum = pendula.pendula[0],
                                      .coupling = pendula.coupling,
                                      .natural_length_m = models::natural_length_m(pendula),
                                      .role = role};
    const auto make = [=](double h) {
      return [=](Integrator integrator) { return models::make_pendulum(setup, integrator, h); };
    };
    add<al_symplectic_euler>(cases, name, make(cartesian_h),
                             BarePendulum<sprung, true>(setup, external_force_n, cartesian_h),
                             cartesian_h, polynomials, external_force_n);
    add<symplectic_euler, trapezoidal, rk4>(
        cases, name, make(angular_h),
        BarePendulum<sprung, false>(setup, external_force_n, angular_h), angular_h, polynomials,
        external_force_n);
  };
  add_role.template operator()<true>(
      "pendulum_with_spring", models::PendulumRole::owner,
      Quadratics<4>{{{{10.2, -0.3, 0.1}, {-1.9, 0.2, 0}, {0.1, 0.5, -0.2}, {0.2, 0, 0.1}}}});
  add_role.template operator()<false>("pendulum_with_force", models::PendulumRole::receiver,
                                      Quadratics<2>{{{{2, 1, -3}, {-1, 2, 0.5}}}});
}

void add_manipulator(std::vector<NativeCase>& cases) {
  constexpr double h = 1e-5;
  const models::ManipulatorMechanicsParameters arm;
  const models::HydraulicCylinderParameters oil;
  const auto rest = models::ManipulatorMechanics(arm).equilibrium();
  const double spool = models::rest_of(oil, rest.force_n).spool + 0.02;
  using enum models::ManipulatorCoupling;
  for (const auto coupling : {force_displacement, pressure_displacement}) {
    const bool by_force = coupling == force_displacement;
    const std::string suffix = by_force ? "_by_force" : "_by_pressure";
    const double viscous = by_force ? 0 : oil.viscous_coefficient_ns_per_m;
    add<symplectic_euler, trapezoidal, rk4>(
        cases, "manipulator_mechanics" + suffix,
        [=](Integrator integrator) {
          return models::make_manipulator_mechanics(arm, viscous, integrator, h);
        },
        BareArm(arm, viscous, h), h,
        Quadratics<1>{{{{0.9 * rest.force_n, 0.3 * rest.force_n, 0.05 * rest.force_n}}}}, 0);
    add<forward_euler, trapezoidal, rk4>(
        cases, "manipulator_hydraulics" + suffix,
        [=](Integrator integrator) {
          return models::make_hydraulic_cylinder(oil, rest, coupling, integrator, h);
        },
        BareCylinder(oil, rest.length_m, spool, h), h,
        Quadratics<2>{{{{rest.length_m, 1e-3, -2e-3}, {0.02, 0.01, -0.03}}}}, spool);
  }
}

void add_pipes(std::vector<NativeCase>& cases) {
  constexpr double h = 1e-6;
  const models::PipeVolumeParameters p;
  const auto add_side = [&]<bool left>(std::string_view name, models::PipeVolumeSide side,
                                       const Quadratics<1>& input, double external) {
    add<forward_euler, trapezoidal, rk4>(
        cases, name,
        [=](Integrator integrator) { return models::make_pipe_volume(p, side, integrator, h); },
        BarePipeVolume<left>(p.frequency_rad_per_s, p.pipe_damping_ratio, p.decay,
                             p.impedance_pa_s_per_m3, external, h),
        h, input, external);
  };
  add_side.template operator()<true>("pipe_volume_left", models::PipeVolumeSide::left,
                                     {{{{1e-4, -3e-4, 1e-4}}}}, 0);
  add_side.template operator()<false>("pipe_volume_right", models::PipeVolumeSide::right,
                                      {{{{1e6, -3e6, 1e6}}}}, 1e-4);
}

void add_relief_valve(std::vector<NativeCase>& cases) {
  const models::ReliefValveParameters p;
  const auto made = [&](models::ReliefValveSide side, double h) {
    return [=](Integrator integrator) { return models::make_relief_valve(p, side, integrator, h); };
  };
  constexpr double mechanics_h = 1e-5;
  const double by_pressure = p.area_m2 / p.mass_kg;
  add<forward_euler, trapezoidal, rk4>(
      cases, "relief_valve_mechanics", made(models::ReliefValveSide::mechanics, mechanics_h),
      BareLinearMass<1>(p.stiffness_n_per_m / p.mass_kg, p.damping_ns_per_m / p.mass_kg,
                        -by_pressure * p.load_pressure_pa, {by_pressure}, mechanics_h),
      mechanics_h, Quadratics<1>{{{{1.2e7, 3e6, -1e6}}}}, 0);
  constexpr double oil_h = 2e-6;  // opens the valve after two of five macro-steps
  constexpr double pump_flow = 1.2e-3;
  add<forward_euler, trapezoidal, rk4>(cases, "relief_valve_hydraulics",
                                       made(models::ReliefValveSide::hydraulics, oil_h),
                                       BareReliefVolume(p, pump_flow, oil_h), oil_h,
                                       Quadratics<1>{{{{1e-4, -5e-5, 2e-5}}}}, pump_flow);
}

}  // namespace

std::vector<NativeCase> native_cases() {
  std::vector<NativeCase> cases;
  add_linear_masses(cases);
  add_nonlinear_masses(cases);
  add_pendula(cases);
  add_manipulator(cases);
  add_pipes(cases);
  add_relief_valve(cases);
  return cases;
}

double relative_difference(std::span<const double> engine, std::span<const double> bare) {
  const std::size_t half = (engine.size() + 1) / 2;
  double worst = 0;
  for (std::size_t begin = 0; begin < engine.size(); begin += half) {
    double size = 0;
    double difference = 0;
    for (std::size_t i = begin; i < std::min(begin + half, engine.size()); ++i) {
      size = std::max(size, std::abs(engine[i]));
      // Not a number stays one.
      difference = std::isfinite(bare[i]) ? std::max(difference, std::abs(bare[i] - engine[i]))
                                          : std::numeric_limits<double>::infinity();
    }
    worst = std::max(worst, size > 0 ? difference / size : std::numeric_limits<double>::infinity());
  }
  return worst;
}

}  // namespace macrostep::bench
