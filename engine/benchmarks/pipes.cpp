#include "engine/benchmarks/pipes.hpp"

#include <utility>

#include "engine/benchmarks/parameters.hpp"
#include "engine/benchmarks/tests.hpp"
#include "models/pipe_volume/pipe_volume.hpp"

namespace macrostep::engine {

namespace {

using models::Integrator;
using models::PipeVolumeParameters;
using models::PipeVolumeSide;

const std::string owner = "pipe";  ///< of the parameters, which both sides share
/// The models' nominal flow, 6 l/min. The system is linear: only the shape of the input matters.
constexpr double largest_flow_m3_per_s = 1e-4;

std::vector<ParameterInfo> parameter_infos() {
  std::vector<ParameterInfo> infos;
  list_parameters(infos, owner, models::pipe_volume_parameters());
  return infos;
}

SubsystemDefinition make_side(const std::string& name, PipeVolumeSide side,
                              const PipeVolumeParameters& parameters) {
  return {
      .name = name,
      .group = name,
      .description = models::describe_pipe_volume(parameters, side),
      .integrators = list(models::pipe_volume_integrators()),
      .micro_step_s = std::nullopt,
      .make =
          [parameters, side](Integrator integrator, std::optional<double> micro_step_s) {
            return models::make_pipe_volume(parameters, side, integrator, micro_step_s);
          },
      .dynamics = [parameters, side] { return models::pipe_volume_dynamics(parameters, side); }};
}

std::variant<Problem, FieldErrors> build(const ParameterValues& values) {
  FieldErrors errors = unknown_paths(values, parameter_infos());
  PipeVolumeParameters parameters;
  apply(parameters, models::pipe_volume_parameters(), owner, values);
  report(errors, models::check(parameters), owner, owner, values);
  if (!errors.empty()) {
    return errors;
  }
  const PortName pressure{"left", "e_1"};
  const PortName flow{"right", "f_2"};
  Problem problem;
  problem.name = "pipe_volume";
  problem.couplings = {{.name = "pressure_flow",
                        .subsystems = {make_side("left", PipeVolumeSide::left, parameters),
                                       make_side("right", PipeVolumeSide::right, parameters)},
                        .connections = {{flow, {"left", "f_2"}}, {pressure, {"right", "e_1"}}},
                        .power_bonds = {{.effort = {pressure}, .flow = {flow}}}}};
  problem.external_inputs = {{.to = {"right", "f_3"},
                              .initial = 0,
                              .minimum = -largest_flow_m3_per_s,
                              .maximum = largest_flow_m3_per_s}};
  return problem;
}

Job default_job() {
  using enum Extrapolation;
  Job job;
  job.name = "pipe_volume";
  job.problem = job.name;
  job.space.couplings = {"pressure_flow"};
  job.space.schemes = {Scheme::jacobi};
  job.space.extrapolation = {order_0, order_1, order_2};
  job.space.integrators = {{"left", {Integrator::exact}}, {"right", {Integrator::exact}}};
  job.space.corrections = {Correction::none};
  job.linear_region.rule = Rule::baseline_power_law;
  job.linear_region.points = 8;
  job.linear_region.scan = ScanKind::geometric;
  job.macro_step = {.initial_s = 5e-7, .increment_s = 5e-7, .maximum_s = 2e-4};
  job.tests = step_ramp_impulse(0.05);
  job.tests.push_back(sine("500", 25));
  return job;
}

}  // namespace

BuiltInProblem pipe_volume() {
  return {.name = "pipe_volume",
          .title = "Pipes and volumes",
          .description =
              "Two pipes with a volume each in series, linear and hardly damped: held "
              "inputs are stable up to a hundredth of the shortest half period.",
          .source =
              "Viel (2014), Implementing stabilized co-simulation of strongly coupled "
              "systems using the Functional Mock-up Interface 2.0, section 2",
          .parameters = parameter_infos(),
          .default_job = default_job(),
          .build = &build};
}

}  // namespace macrostep::engine
