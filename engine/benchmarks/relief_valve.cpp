#include "engine/benchmarks/relief_valve.hpp"

#include <utility>

#include "engine/benchmarks/parameters.hpp"
#include "engine/benchmarks/tests.hpp"
#include "models/relief_valve/relief_valve.hpp"

namespace macrostep::engine {

namespace {

using models::Integrator;
using models::ReliefValveParameters;
using models::ReliefValveSide;

const std::string mechanics = "mechanics";
const std::string hydraulics = "hydraulics";
/// The pump gives up to so many times what is needed at rest: the valve opens.
constexpr double largest_flow_factor = 3;

std::vector<ParameterInfo> parameter_infos() {
  std::vector<ParameterInfo> infos;
  list_parameters(infos, mechanics, models::relief_valve_parameters(ReliefValveSide::mechanics));
  list_parameters(infos, hydraulics, models::relief_valve_parameters(ReliefValveSide::hydraulics));
  return infos;
}

SubsystemDefinition make_side(const std::string& name, ReliefValveSide side,
                              const ReliefValveParameters& parameters) {
  return {
      .name = name,
      .group = name,
      .description = models::describe_relief_valve(parameters, side),
      .integrators = list(models::relief_valve_integrators()),
      .micro_step_s = std::nullopt,
      .make =
          [parameters, side](Integrator integrator, std::optional<double> micro_step_s) {
            return models::make_relief_valve(parameters, side, integrator, micro_step_s);
          },
      .dynamics = [parameters, side] { return models::relief_valve_dynamics(parameters, side); }};
}

std::variant<Problem, FieldErrors> build(const ParameterValues& values) {
  FieldErrors errors = unknown_paths(values, parameter_infos());
  ReliefValveParameters parameters;
  for (const auto& [name, side] : {std::pair(mechanics, ReliefValveSide::mechanics),
                                   std::pair(hydraulics, ReliefValveSide::hydraulics)}) {
    apply(parameters, models::relief_valve_parameters(side), name, values);
    report(errors, models::check(parameters, side), name, name, values);
  }
  if (!errors.empty()) {
    return errors;
  }
  const PortName pressure{hydraulics, "p"};
  const PortName flow{mechanics, "q"};
  Problem problem;
  problem.name = "relief_valve";
  problem.couplings = {
      {.name = "pressure_flow",
       .subsystems = {make_side(mechanics, ReliefValveSide::mechanics, parameters),
                      make_side(hydraulics, ReliefValveSide::hydraulics, parameters)},
       .connections = {{pressure, {mechanics, "p"}}, {flow, {hydraulics, "q"}}},
       .power_bonds = {{.effort = {pressure}, .flow = {flow}}}}};
  const double at_rest = parameters.leakage_m3_per_s_pa * parameters.load_pressure_pa;
  problem.external_inputs = {{.to = {hydraulics, "q_p"},
                              .initial = at_rest,
                              .minimum = 0,
                              .maximum = largest_flow_factor * at_rest}};
  return problem;
}

Job default_job() {
  using enum Extrapolation;
  Job job;
  job.name = "relief_valve";
  job.problem = job.name;
  job.space.couplings = {"pressure_flow"};
  job.space.schemes = {Scheme::jacobi};
  job.space.extrapolation = {order_0, order_1, order_2};
  job.space.integrators = {{mechanics, {Integrator::rk4}}, {hydraulics, {Integrator::rk4}}};
  job.space.corrections = {Correction::none};
  job.micro_steps = {{mechanics, 1e-4}, {hydraulics, 1e-4}};
  job.linear_region.rule = Rule::baseline_power_law;
  job.linear_region.points = 8;
  job.linear_region.scan = ScanKind::geometric;
  job.macro_step = {.initial_s = 5e-5, .increment_s = 5e-5, .maximum_s = 0.02};
  job.tests = step_ramp_impulse(1);
  job.tests.push_back(sine("5", 5));
  return job;
}

}  // namespace

BuiltInProblem relief_valve() {
  return {.name = "relief_valve",
          .title = "Relief valve",
          .description =
              "A mass on a cylinder that a pump feeds past a relief valve: its characteristic has "
              "kinks, and the pressure switches between two behaviours.",
          .source = "Ours; orifice and opening as in textbooks of hydraulics",
          .parameters = parameter_infos(),
          .default_job = default_job(),
          .build = &build};
}

}  // namespace macrostep::engine
