#include "engine/benchmarks/manipulator.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/benchmarks/parameters.hpp"
#include "engine/benchmarks/tests.hpp"
#include "models/manipulator/hydraulic_cylinder.hpp"
#include "models/manipulator/manipulator_mechanics.hpp"
#include "models/manipulator/manoeuvres.hpp"

namespace macrostep::engine {

namespace {

using models::HydraulicCylinderParameters;
using models::Integrator;
using models::ManipulatorCoupling;
using models::ManipulatorEquilibrium;
using models::ManipulatorMechanics;
using models::ManipulatorMechanicsParameters;

/// As the runs in models/manipulator/README.md have it.
constexpr double hydraulics_micro_step_s = 2e-4;
/// Share of κ_0 by which test inputs move the spool: the amplitude of manoeuvre m2. It drives the
/// cylinder at some 7 cm/s.
constexpr double spool_share = 0.1;
/// At that rate a step in the middle moves it by 7 cm: half the way to where the arm lies on the
/// line between the actuator's ends (s = 0.366 m), beyond which it falls through.
constexpr double test_duration_s = 2;

/// Time between the points of test m2: the straight lines between them err by 0.2 % of its
/// amplitude (κ̈ h²/8).
constexpr double manoeuvre_spacing_s = 0.01;

struct Parameters {
  ManipulatorMechanicsParameters mechanics;
  HydraulicCylinderParameters hydraulics;
};

std::vector<ParameterInfo> parameter_infos() {
  std::vector<ParameterInfo> infos;
  list_parameters(infos, "mechanics", models::manipulator_mechanics_parameters());
  list_parameters(infos, "hydraulics", models::hydraulic_cylinder_parameters());
  return infos;
}

Coupling make_coupling(ManipulatorCoupling kind, const Parameters& parameters,
                       const ManipulatorEquilibrium& rest) {
  const bool whole_force = kind == ManipulatorCoupling::force_displacement;
  Coupling coupling{.name = whole_force ? "force_displacement" : "pressure_displacement",
                    .subsystems = {},
                    .connections = {},
                    .power_bonds = {}};
  const auto& arm = parameters.mechanics;
  const double viscous = whole_force ? 0 : parameters.hydraulics.viscous_coefficient_ns_per_m;
  coupling.subsystems.push_back(
      {.name = "mechanics",
       .group = "mechanics",
       .description = ManipulatorMechanics(arm, viscous).description(),
       .integrators = list(models::manipulator_mechanics_integrators()),
       .micro_step_s = std::nullopt,
       .make =
           [arm, viscous](Integrator integrator, std::optional<double> micro_step_s) {
             return models::make_manipulator_mechanics(arm, viscous, integrator, micro_step_s);
           },
       .dynamics = [arm,
                    viscous] { return models::manipulator_mechanics_dynamics(arm, viscous); }});
  const auto& oil = parameters.hydraulics;
  coupling.subsystems.push_back(
      {.name = "hydraulics",
       .group = "hydraulics",
       .description = models::HydraulicCylinder(oil, rest, kind).description(),
       .integrators = list(models::hydraulic_cylinder_integrators()),
       .micro_step_s = hydraulics_micro_step_s,
       .make =
           [oil, rest, kind](Integrator integrator, std::optional<double> micro_step_s) {
             return models::make_hydraulic_cylinder(oil, rest, kind, integrator, micro_step_s);
           },
       .dynamics = [oil, rest,
                    kind] { return models::hydraulic_cylinder_dynamics(oil, rest, kind); }});
  const PortName force{"hydraulics", "f"};
  const PortName rate{"mechanics", "s_dot"};
  // The force is held as on the cranes.
  coupling.connections = {{{"mechanics", "s"}, {"hydraulics", "s"}},
                          {rate, {"hydraulics", "s_dot"}},
                          {force, {"mechanics", "f"}, false}};
  coupling.power_bonds = {{.effort = {force}, .flow = {rate}}};
  return coupling;
}

std::variant<Problem, FieldErrors> build(const ParameterValues& values) {
  FieldErrors errors = unknown_paths(values, parameter_infos());
  Parameters parameters;
  apply(parameters.mechanics, models::manipulator_mechanics_parameters(), "mechanics", values);
  apply(parameters.hydraulics, models::hydraulic_cylinder_parameters(), "hydraulics", values);
  const auto wrong = models::check(parameters.mechanics);
  report(errors, wrong, "mechanics", "mechanics", values);
  // Without mechanics there is no load to hold, but ranges can be checked all the same.
  const auto rest = wrong.empty() ? ManipulatorMechanics(parameters.mechanics).equilibrium()
                                  : ManipulatorEquilibrium{};
  report(errors,
         wrong.empty()
             ? models::check(parameters.hydraulics, rest)
             : models::out_of_range(parameters.hydraulics, models::hydraulic_cylinder_parameters()),
         "hydraulics", "hydraulics", values);
  if (!errors.empty()) {
    return errors;
  }
  Problem problem;
  problem.name = "hydraulic_manipulator";
  problem.couplings = {make_coupling(ManipulatorCoupling::force_displacement, parameters, rest),
                       make_coupling(ManipulatorCoupling::pressure_displacement, parameters, rest)};
  const double spool = models::rest_of(parameters.hydraulics, rest.force_n).spool;
  problem.external_inputs = {{.to = {"hydraulics", "kappa"},
                              .initial = spool,
                              .minimum = spool * (1 - spool_share),
                              .maximum = std::min(1.0, spool * (1 + spool_share))}};
  return problem;
}

TestInput manoeuvre(const std::string& name, models::Record spool) {
  return {.name = name,
          .kind = TestKind::recorded,
          .duration_s = models::manoeuvre_duration_s,
          .record = std::make_shared<models::Record>(std::move(spool))};
}

/// The manoeuvres start from where the spool rests.
std::vector<TestInput> tests(const Problem& problem) {
  const double spool = problem.external_inputs.front().initial;
  auto list = step_ramp_impulse(test_duration_s);
  list.push_back(sine("2", 8));
  list.push_back(manoeuvre("m1", models::manoeuvre_1(spool)));
  list.push_back(manoeuvre("m2", models::manoeuvre_2(spool, manoeuvre_spacing_s)));
  return list;
}

Job default_job() {
  using enum Extrapolation;
  Job job;
  job.name = "hydraulic_manipulator";
  job.problem = job.name;
  job.space.couplings = {"force_displacement", "pressure_displacement"};
  job.space.schemes = {Scheme::jacobi};
  job.space.extrapolation = {order_0, order_1, order_2};
  job.space.integrators = {{"mechanics", {Integrator::symplectic_euler}},
                           {"hydraulics", {Integrator::forward_euler}}};
  job.space.corrections = {Correction::none};
  job.macro_step = {.initial_s = 1e-3, .increment_s = 1e-3, .maximum_s = 0.07};
  job.tests = tests(std::get<Problem>(build({})));
  return job;
}

}  // namespace

BuiltInProblem hydraulic_manipulator() {
  return {.name = "hydraulic_manipulator",
          .title = "Hydraulic manipulator",
          .description =
              "Planar two-link arm lifted by one hydraulic cylinder that a spool valve "
              "feeds, with the viscous force on either side of the interface.",
          .source =
              "Rodríguez et al. (2022), Energy-based monitoring and correction to enhance "
              "the accuracy and stability of explicit co-simulation, section 4.4; public "
              "library of computational mechanics benchmarks",
          .parameters = parameter_infos(),
          .default_job = default_job(),
          .build = &build,
          .tests = &tests};
}

}  // namespace macrostep::engine
