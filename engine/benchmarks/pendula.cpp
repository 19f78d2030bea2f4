#include "engine/benchmarks/pendula.hpp"

#include <array>
#include <utility>

#include "engine/benchmarks/parameters.hpp"
#include "engine/benchmarks/tests.hpp"
#include "models/pendulum/coupled_pendula.hpp"

namespace macrostep::engine {

namespace {

using models::CoupledPendula;
using models::Integrator;
using models::PendulumRole;
using models::PendulumSetup;

const std::array<std::string, 2> names{"m1", "m2"};
/// Half the weight of a mass: at rest it holds a pendulum at 27 degrees.
constexpr double largest_external_force_n = 5;

std::vector<ParameterInfo> parameter_infos() {
  const CoupledPendula defaults;
  std::vector<ParameterInfo> infos;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list_parameters(infos, names[i], models::pendulum_parameters(), defaults.pendula[i]);
  }
  list_parameters(infos, "coupling", models::pendulum_coupling_parameters(), defaults.coupling);
  return infos;
}

void add_pendula(Coupling& coupling, const CoupledPendula& pendula,
                 const std::array<PendulumRole, 2>& roles) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const PendulumSetup setup{.pendulum = pendula.pendula[i],
                              .coupling = pendula.coupling,
                              .natural_length_m = models::natural_length_m(pendula),
                              .role = roles[i],
                              // Where both know the spring, the first one counts its energy.
                              .counts_coupling_energy = i == 0};
    coupling.subsystems.push_back(
        {.name = names[i],
         .group = names[i],
         .description = models::describe_pendulum(setup),
         .integrators = list(models::pendulum_integrators()),
         .micro_step_s = std::nullopt,
         .make =
             [setup](Integrator integrator, std::optional<double> micro_step_s) {
               return models::make_pendulum(setup, integrator, micro_step_s);
             },
         .dynamics = [setup] { return models::pendulum_dynamics(setup); },
         .dynamics_state = [setup](auto saved,
                                   auto state) { models::pendulum_angle(setup, saved, state); }});
  }
}

void connect_motion(Coupling& coupling, const std::string& from, const std::string& to) {
  for (const std::string port : {"x", "y", "v_x", "v_y"}) {
    coupling.connections.push_back({{from, port}, {to, port + "_in"}});
  }
}

/// One bond of two components.
PowerBond bond(const std::string& effort_of, const std::string& flow_of) {
  return {.effort = {{effort_of, "f_x"}, {effort_of, "f_y"}},
          .flow = {{flow_of, "v_x"}, {flow_of, "v_y"}}};
}

Coupling force_displacement(const CoupledPendula& pendula) {
  Coupling coupling{
      .name = "force_displacement", .subsystems = {}, .connections = {}, .power_bonds = {}};
  add_pendula(coupling, pendula, {PendulumRole::owner, PendulumRole::receiver});
  connect_motion(coupling, "m2", "m1");
  coupling.connections.push_back({{"m1", "f_x"}, {"m2", "f_x_in"}});
  coupling.connections.push_back({{"m1", "f_y"}, {"m2", "f_y_in"}});
  coupling.power_bonds = {bond("m1", "m2")};
  return coupling;
}

Coupling displacement_displacement(const CoupledPendula& pendula) {
  Coupling coupling{
      .name = "displacement_displacement", .subsystems = {}, .connections = {}, .power_bonds = {}};
  add_pendula(coupling, pendula, {PendulumRole::displacement, PendulumRole::displacement});
  connect_motion(coupling, "m2", "m1");
  connect_motion(coupling, "m1", "m2");
  coupling.power_bonds = {bond("m1", "m1"), bond("m2", "m2")};
  return coupling;
}

std::variant<Problem, FieldErrors> build(const ParameterValues& values) {
  FieldErrors errors = unknown_paths(values, parameter_infos());
  CoupledPendula pendula;
  for (std::size_t i = 0; i < names.size(); ++i) {
    apply(pendula.pendula[i], models::pendulum_parameters(), names[i], values);
    report(errors, models::check(pendula.pendula[i]), names[i], names[i], values);
  }
  apply(pendula.coupling, models::pendulum_coupling_parameters(), "coupling", values);
  auto wrong = models::check(pendula.coupling);
  if (wrong.empty() && pendula.coupling.stiffness_n_per_m == 0 &&
      pendula.coupling.damping_ns_per_m == 0) {
    wrong.push_back({"k_c", "without a spring and a damper the pendula are not coupled"});
  }
  report(errors, wrong, "coupling", "coupling", values);
  if (errors.empty()) {
    report(errors, models::check(pendula), "m2", "m2", values);
  }
  if (!errors.empty()) {
    return errors;
  }
  Problem problem;
  problem.name = "coupled_pendula";
  problem.couplings = {force_displacement(pendula), displacement_displacement(pendula)};
  for (const auto& name : names) {
    problem.external_inputs.push_back({.to = {name, "f_ext"},
                                       .initial = 0,
                                       .minimum = -largest_external_force_n,
                                       .maximum = largest_external_force_n});
  }
  return problem;
}

Job default_job() {
  using enum Extrapolation;
  Job job;
  job.name = "coupled_pendula";
  job.problem = job.name;
  job.space.couplings = {"force_displacement", "displacement_displacement"};
  job.space.schemes = {Scheme::jacobi};
  job.space.extrapolation = {order_0, order_1, order_2};
  job.space.integrators = {{"m1", {Integrator::al_symplectic_euler}},
                           {"m2", {Integrator::al_symplectic_euler}}};
  job.space.corrections = {Correction::none};
  // As with the oscillators: E(H) of an undamped system bends slowly.
  job.linear_region.rule = Rule::baseline_power_law;
  job.linear_region.points = 8;
  job.linear_region.scan = ScanKind::geometric;
  job.macro_step = {.initial_s = 1e-3, .increment_s = 1e-3, .maximum_s = 0.4};
  job.tests = step_ramp_impulse(10);
  job.tests.insert(job.tests.begin(), free_motion(10));
  job.tests.push_back(sine("0.5", 5));
  return job;
}

}  // namespace

BuiltInProblem coupled_pendula() {
  return {.name = "coupled_pendula",
          .title = "Coupled pendula",
          .description =
              "Two pendula whose tips are joined by a spring and damper: forces and "
              "motions of two components.",
          .source =
              "Rodríguez et al. (2022), Energy-based monitoring and correction to enhance "
              "the accuracy and stability of explicit co-simulation, section 4.3",
          .parameters = parameter_infos(),
          .default_job = default_job(),
          .build = &build};
}

}  // namespace macrostep::engine
