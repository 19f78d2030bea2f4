// Time per micro-step of the hydraulic actuator and per macro-step of the crane and of the whole
// co-simulation, each beside the hand-written loop of the same equations (bare/crane.hpp).
//
// Counters: engine_ns and bare_ns per step, overhead = engine/bare; with two actuators also against
// the hand-written loop that advances them in turn, as the engine does.

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>

#include "models/crane/crane_subsystem.hpp"
#include "tests/bench/paired.hpp"
#include "tests/bench/pairs.hpp"

namespace {

using namespace macrostep;
using namespace macrostep::bench;
using models::Integrator;

/// The valve opens at once, while the piston accelerates to 0.05 m/s: no state is at rest.
constexpr int micro_steps = 100;
constexpr double micro_step_s = 1e-4;
constexpr double macro_step_s = micro_steps * micro_step_s;
constexpr double voltage = 10;
constexpr double end_speed_m_per_s = 0.05;

template <Integrator integrator>
void actuator_micro_step(benchmark::State& state) {
  const models::HydraulicActuatorParameters parameters;
  const auto rest = models::CraneMechanics({}, 1).equilibrium();
  const double s0 = rest.lengths_m[0];
  const double travel = end_speed_m_per_s * macro_step_s / 2;

  const auto subsystem =
      models::make_hydraulic_actuator(parameters, {s0, rest.forces_n[0]}, integrator, micro_step_s);
  const std::array externals{models::ExternalSignal{.signal = {.base = voltage}}};
  const std::array polynomials{models::InputPolynomial{{s0, 0, travel}},
                               models::InputPolynomial{{0, end_speed_m_per_s}}};
  double f = 0;
  const auto engine = [&] {
    subsystem->start(0, externals);
    subsystem->step({.size_s = macro_step_s}, {polynomials});
    const std::array u{s0 + travel, end_speed_m_per_s};
    subsystem->outputs(macro_step_s, u, std::span(&f, 1));
    benchmark::DoNotOptimize(f);
  };

  const BareActuator actuator(parameters, s0, rest.forces_n[0]);
  const double u_ref = externals[0].signal.value(0);
  const BarePolynomial<2> s{{s0, 0, travel}};
  const BarePolynomial<1> s_dot{{0, end_speed_m_per_s}};
  const auto bare = [&] {
    Pressures x = actuator.rest();
    if constexpr (integrator == Integrator::forward_euler) {
      for (int k = 0; k < micro_steps; ++k) {
        const double theta = static_cast<double>(k) * (1.0 / micro_steps);
        actuator.forward_euler(x, s.at(theta), s_dot.at(theta), u_ref, micro_step_s);
      }
    } else {
      double s_before = s0, rate_before = 0;
      for (int k = 1; k <= micro_steps; ++k) {
        const double theta = static_cast<double>(k) * (1.0 / micro_steps);
        const double s_now = s.at(theta), rate_now = s_dot.at(theta);
        actuator.trapezoidal(x, s_before, rate_before, u_ref, s_now, rate_now, u_ref, micro_step_s);
        s_before = s_now;
        rate_before = rate_now;
      }
    }
    f = actuator.force(x, s.at(1), s_dot.at(1));
    benchmark::DoNotOptimize(f);
  };
  compare(state, {micro_steps, engine, bare});
}

/// The crane starts to fall under less than the holding forces; each step reads the outputs.
template <int actuators, Integrator integrator>
void mechanics_macro_step(benchmark::State& state) {
  constexpr int steps = 100;
  constexpr double share_of_holding_force = 0.9;
  constexpr double h = 1e-3;
  const models::CraneParameters parameters;
  auto forces = models::CraneMechanics(parameters, actuators).equilibrium().forces_n;
  for (double& force : forces) {
    force *= share_of_holding_force;
  }
  const std::span applied(forces.data(), actuators);

  const auto subsystem =
      models::make_crane_mechanics(parameters, actuators, integrator, std::nullopt);
  std::array<models::InputPolynomial, actuators> polynomials;
  for (std::size_t i = 0; i < actuators; ++i) {
    polynomials[i] = {{forces[i]}};
  }
  std::array<double, 3 * actuators> y{};
  const auto engine = [&] {
    subsystem->start(0, {});
    subsystem->outputs(0, applied, y);
    for (int n = 0; n < steps; ++n) {
      subsystem->step({.index = n, .start_s = n * h, .size_s = h}, {polynomials});
      subsystem->outputs((n + 1) * h, applied, y);
      benchmark::DoNotOptimize(y);
    }
  };

  std::array<double, actuators> f;
  std::copy(applied.begin(), applied.end(), f.begin());
  const BareMechanics<actuators> start(parameters, h);
  std::array<Motion, actuators> motion;
  const auto bare = [&] {
    auto crane = start;
    crane.find_accelerations(f);
    for (int n = 0; n < steps; ++n) {
      crane.template advance<integrator>(f);
      for (int i = 0; i < actuators; ++i) {
        motion[static_cast<std::size_t>(i)] = crane.motion(i);
      }
      benchmark::DoNotOptimize(motion);
    }
  };
  compare(state, {steps, engine, bare});
}

/// A trial of the step test with H = 1 ms and h = 0.1 ms: 1000 macro-steps and what surrounds them.
template <int actuators>
void coupled_macro_step(benchmark::State& state, Integrator mechanics, Integrator hydraulics,
                        engine::Extrapolation extrapolation) {
  const auto plan = default_plan(actuators);
  const auto& test = plan.job.tests.front();
  auto configuration = plan.configurations.front();
  configuration.extrapolation = extrapolation;
  configuration.integrators = {{"mechanics", mechanics}, {"hydraulics", hydraulics}};
  const double h = 1e-3;
  const auto settings = bare_settings(plan, test, h);
  const auto engine = [&] {
    const auto result =
        run_trial(plan, {.configuration = &configuration, .test = &test, .macro_step_s = h});
    benchmark::DoNotOptimize(result.residual_j);
  };
  const auto run_bare = [&](Schedule schedule) {
    auto scheduled = settings;
    scheduled.schedule = schedule;
    const auto result = bare_trial<actuators>(scheduled, configuration);
    benchmark::DoNotOptimize(result.residual_j);
  };
  Contenders timing_candidates{static_cast<double>(engine::macro_steps_in(test.duration_s, h)),
                               engine, [&] { run_bare(Schedule::in_one_loop); }};
  if (actuators == 2) {
    timing_candidates.in_turn = [&] { run_bare(Schedule::in_turn); };
  }
  compare(state, timing_candidates);
}

/// Setting up a trial and taking it down again, with one macro-step.
void trial_set_up(benchmark::State& state) {
  const auto plan = default_plan(2);
  auto test = plan.job.tests.front();
  const double h = 1e-3;
  test.duration_s = h;
  const auto& configuration = plan.configurations.front();
  const auto settings = bare_settings(plan, test, h);
  const auto engine = [&] {
    const auto result =
        run_trial(plan, {.configuration = &configuration, .test = &test, .macro_step_s = h});
    benchmark::DoNotOptimize(result.residual_j);
  };
  const auto bare = [&] {
    const auto result = bare_trial<2>(settings, configuration);
    benchmark::DoNotOptimize(result.residual_j);
  };
  compare(state, {1, engine, bare});
}

void add(const std::string& name, void (*run)(benchmark::State&)) {
  benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime();
}

template <int actuators>
void add_coupled() {
  using enum Integrator;
  for (const auto mechanics : {i1al, i3al}) {
    for (const auto hydraulics : {forward_euler, trapezoidal}) {
      for (const auto extrapolation :
           {engine::Extrapolation::order_0, engine::Extrapolation::order_2}) {
        const std::string name = "macro_step/" + std::string(actuators == 1 ? "single" : "double") +
                                 "_crane/" + std::string(to_string(mechanics)) + "/" +
                                 std::string(to_string(hydraulics)) + "/order_" +
                                 std::string(to_string(extrapolation));
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
          coupled_macro_step<actuators>(state, mechanics, hydraulics, extrapolation);
        })->UseManualTime();
      }
    }
  }
}

const bool registered = [] {
  using enum Integrator;
  add("micro_step/hydraulic_actuator/forward_euler", actuator_micro_step<forward_euler>);
  add("micro_step/hydraulic_actuator/trapezoidal", actuator_micro_step<trapezoidal>);
  add("macro_step/single_crane_mechanics/i1al", mechanics_macro_step<1, i1al>);
  add("macro_step/single_crane_mechanics/i3al", mechanics_macro_step<1, i3al>);
  add("macro_step/double_crane_mechanics/i1al", mechanics_macro_step<2, i1al>);
  add("macro_step/double_crane_mechanics/i3al", mechanics_macro_step<2, i3al>);
  add_coupled<1>();
  add_coupled<2>();
  add("trial_set_up", trial_set_up);
  return true;
}();

}  // namespace
