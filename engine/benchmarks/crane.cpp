#include "engine/benchmarks/crane.hpp"

#include <array>
#include <memory>
#include <utility>

#include "engine/benchmarks/parameters.hpp"
#include "models/crane/crane_dynamics.hpp"
#include "models/crane/crane_subsystem.hpp"
#include "models/crane/joystick.hpp"
#include "models/hydraulic_actuator/hydraulic_actuator.hpp"

namespace macrostep::engine {

namespace {

using models::CraneParameters;
using models::HydraulicActuatorParameters;

/// From section 3.3 of the paper: stable with both integrators of the hydraulics.
constexpr double hydraulics_micro_step_s = 1e-4;
/// Full voltage of the valves (section 3.2.1 of the paper).
constexpr double reference_voltage = 10;

std::string hydraulics_name(int actuator, int actuators) {
  return actuators == 1 ? "hydraulics" : "hydraulics_" + std::to_string(actuator + 1);
}

std::vector<ParameterInfo> parameter_infos() {
  std::vector<ParameterInfo> infos;
  list_parameters(infos, "mechanics", models::crane_parameters());
  list_parameters(infos, "hydraulics", models::hydraulic_actuator_parameters());
  return infos;
}

std::map<std::string, std::string> group_of_members(int actuators) {
  std::map<std::string, std::string> groups;
  for (int i = 0; i < actuators; ++i) {
    groups[hydraulics_name(i, actuators)] = "hydraulics";
  }
  return groups;
}

Coupling force_displacement(int actuators) {
  Coupling coupling{
      .name = "force_displacement", .subsystems = {}, .connections = {}, .power_bonds = {}};
  for (int i = 0; i < actuators; ++i) {
    const std::string hydraulics = hydraulics_name(i, actuators);
    const std::string suffix = actuators == 1 ? "" : "_" + std::to_string(i + 1);
    const PortName force{hydraulics, "f"};
    const PortName rate{"mechanics", "s_dot" + suffix};
    coupling.connections.push_back({{"mechanics", "s" + suffix}, {hydraulics, "s"}});
    coupling.connections.push_back({rate, {hydraulics, "s_dot"}});
    // The force is always held (Table 3 of the paper: mechanics m = 0).
    coupling.connections.push_back({force, {"mechanics", "f" + suffix}, false});
    coupling.power_bonds.push_back({.effort = {force}, .flow = {rate}});
  }
  return coupling;
}

template <int actuators>
std::variant<Problem, FieldErrors> build(const ParameterValues& values) {
  FieldErrors errors = unknown_paths(values, parameter_infos(), group_of_members(actuators));
  CraneParameters crane;
  apply(crane, models::crane_parameters(), "mechanics", values);
  const auto wrong_mechanics = models::check(crane, actuators);
  report(errors, wrong_mechanics, "mechanics", "mechanics", values);
  // Without mechanics there is no load to hold, but ranges can be checked all the same.
  const auto equilibrium = wrong_mechanics.empty()
                               ? models::CraneMechanics(crane, actuators).equilibrium()
                               : models::CraneEquilibrium{};

  Problem problem;
  Coupling coupling = force_displacement(actuators);
  problem.name = actuators == 1 ? "single_actuator_crane" : "double_actuator_crane";
  coupling.subsystems.push_back(
      {.name = "mechanics",
       .group = "mechanics",
       .description = models::CraneMechanics(crane, actuators).description(),
       .integrators = list(models::crane_integrators()),
       .micro_step_s = std::nullopt,
       .make =
           [crane](models::Integrator integrator, std::optional<double> micro_step_s) {
             return models::make_crane_mechanics(crane, actuators, integrator, micro_step_s);
           },
       .make_lanes =
           [crane](models::Integrator integrator, std::optional<double> micro_step_s) {
             return models::at_lane_level(models::lane_level(), [&]<models::LaneLevel level>() {
               return models::make_crane_lanes<level>(crane, actuators, integrator, micro_step_s);
             });
           },
       .dynamics = [crane] { return models::crane_dynamics(crane, actuators); },
       .dynamics_state = [crane](auto saved,
                                 auto state) { models::crane_angles(crane, saved, state); }});
  for (int i = 0; i < actuators; ++i) {
    const std::string name = hydraulics_name(i, actuators);
    HydraulicActuatorParameters hydraulics;
    apply(hydraulics, models::hydraulic_actuator_parameters(), "hydraulics", values);
    apply(hydraulics, models::hydraulic_actuator_parameters(), name, values);
    const auto at = static_cast<std::size_t>(i);
    const models::HydraulicEquilibrium rest{equilibrium.lengths_m[at], equilibrium.forces_n[at]};
    const auto wrong =
        wrong_mechanics.empty()
            ? models::check(hydraulics, rest)
            : models::out_of_range(hydraulics, models::hydraulic_actuator_parameters());
    report(errors, wrong, name, "hydraulics", values);
    if (!wrong.empty()) {
      continue;
    }
    coupling.subsystems.push_back(
        {.name = name,
         .group = "hydraulics",
         .description = models::HydraulicActuator(hydraulics, rest).description(),
         .integrators = list(models::hydraulic_actuator_integrators()),
         .micro_step_s = hydraulics_micro_step_s,
         .make =
             [hydraulics, rest](models::Integrator integrator, std::optional<double> micro_step_s) {
               return models::make_hydraulic_actuator(hydraulics, rest, integrator, micro_step_s);
             },
         .make_lanes =
             [hydraulics, rest](models::Integrator integrator, std::optional<double> micro_step_s) {
               return models::at_lane_level(models::lane_level(), [&]<models::LaneLevel level>() {
                 return models::make_hydraulic_actuator_lanes<level>(hydraulics, rest, integrator,
                                                                     micro_step_s);
               });
             },
         .dynamics =
             [hydraulics, rest] {
               return models::dynamics_of(models::HydraulicActuator(hydraulics, rest));
             }});
    problem.external_inputs.push_back({.to = {name, "u_ref"},
                                       .initial = 0,
                                       .minimum = -reference_voltage,
                                       .maximum = reference_voltage});
  }
  if (!errors.empty()) {
    return errors;
  }
  problem.couplings.push_back(std::move(coupling));
  return problem;
}

/// Table 3 and section 3.4 of the paper.
/// Deviation: the scan starts at 0.2 ms; the paper's 1 ms and 0.5 ms are outside the linear region
/// of some configurations.
Job default_job(const std::string& problem) {
  using enum Extrapolation;
  Job job;
  job.name = problem;
  job.problem = problem;
  job.space.couplings = {"force_displacement"};
  job.space.schemes = {Scheme::jacobi};
  job.space.extrapolation = {order_0, order_1, order_2, order_3, order_4, i2};
  job.space.integrators = {
      {"mechanics", {models::Integrator::i1al, models::Integrator::i3al}},
      {"hydraulics", {models::Integrator::forward_euler, models::Integrator::trapezoidal}}};
  job.space.corrections = {Correction::none};
  job.macro_step = {.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 0.02};
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 1},
               {.name = "ramp", .kind = TestKind::ramp, .duration_s = 1},
               {.name = "impulse", .kind = TestKind::impulse, .duration_s = 1, .width_s = 0.4}};
  const std::array<std::pair<const char*, double>, 3> sines{
      {{"sine_17.5hz", 17.5}, {"sine_35hz", 35}, {"sine_70hz", 70}}};
  for (const auto& [name, frequency_hz] : sines) {
    job.tests.push_back({.name = name,
                         .kind = TestKind::sine,
                         .duration_s = 1 / frequency_hz,
                         .frequency_hz = frequency_hz,
                         .periods = 1});
  }
  return job;
}

/// What the recommendation is held against: unlike the default tests it reaches the end dampers. It
/// moves all levers alike, as they do.
TestInput joystick() {
  return {.name = "joystick",
          .kind = TestKind::recorded,
          .duration_s = models::joystick_duration_s,
          .record = std::make_shared<models::Record>(models::joystick())};
}

template <int actuators>
BuiltInProblem crane(const std::string& name, const std::string& title,
                     const std::string& description,
                     std::optional<MacroStepGrid> paper_grid = std::nullopt) {
  BuiltInProblem problem{.name = name,
                         .title = title,
                         .description = description,
                         .source =
                             "Rahikainen, González and Naya (2019), An automated methodology "
                             "to select functional co-simulation configurations",
                         .parameters = parameter_infos(),
                         .default_job = default_job(name),
                         .build = &build<actuators>,
                         .other_tests = {joystick()},
                         .paper_grid = paper_grid};
  return problem;
}

}  // namespace

BuiltInProblem single_actuator_crane() {
  return crane<1>("single_actuator_crane", "Single-actuator crane",
                  "Planar two-link crane raised by one hydraulic cylinder; the second link swings "
                  "freely.",
                  // Table 4. Of the double crane the text has steps of 0.5 ms, on which Table 5
                  // does not lie: it keeps the default grid.
                  MacroStepGrid{.initial_s = 1e-3, .increment_s = 2e-4, .maximum_s = 0.02});
}

BuiltInProblem double_actuator_crane() {
  return crane<2>("double_actuator_crane", "Double-actuator crane",
                  "Planar two-link crane moved by two identical hydraulic cylinders.");
}

}  // namespace macrostep::engine
