#include "engine/fmu_export/describe_fmu.hpp"

#include <algorithm>

#include "engine/base/provenance.hpp"
#include "engine/fmu_export/declared_unit.hpp"
#include "engine/fmu_export/instance/variable_table.hpp"
#include "engine/fmu_export/probe.hpp"

namespace macrostep::engine {

namespace {

using models::fmi::Causality;
using models::fmi::Initial;
using models::fmi::Interface;
using models::fmi::Variability;
using models::fmi::Variable;

/// Collects the variables in the order of their value references.
class Variables {
 public:
  explicit Variables(const ExportSource& source) : source_(source) {}

  std::vector<Variable> list() {
    add({.name = "time",
         .description = "simulation time",
         .causality = Causality::independent,
         .unit = "s"});
    add_inputs();
    add_outputs();
    add_parameters();
    add_states();
    return std::move(list_);
  }

 private:
  void add(Variable variable) {
    variable.reference = static_cast<std::uint32_t>(list_.size());
    list_.push_back(std::move(variable));
  }

  void add_inputs() {
    const auto& ports = source_.subsystem.description;
    const auto& starts = source_.setup.inputs;
    for (std::size_t i = 0; i < ports.inputs.size(); ++i) {
      add({.name = ports.inputs[i].name,
           .description = "coupling input",
           .causality = Causality::input,
           .unit = ports.inputs[i].unit,
           .start = starts[i].start,
           .intermediate_update = true});
    }
    for (std::size_t i = 0; i < ports.externals.size(); ++i) {
      const PortName name{source_.subsystem.name, ports.externals[i].name};
      const auto& all = source_.problem.external_inputs;
      const auto input = std::ranges::find(all, name, &ExternalInput::to);
      Variable variable{.name = name.port,
                        .description = "external input, held over a communication step",
                        .causality = Causality::input,
                        .unit = ports.externals[i].unit,
                        .start = starts[ports.inputs.size() + i].start};
      if (input != all.end()) {
        variable.minimum = input->minimum;
        variable.maximum = input->maximum;
      }
      add(std::move(variable));
    }
  }

  void add_outputs() {
    const auto& outputs = source_.subsystem.description.outputs;
    const auto first = list_.size();
    for (const auto& port : outputs) {
      add({.name = port.name,
           .description = "output",
           .causality = Causality::output,
           .initial = Initial::calculated,
           .unit = port.unit,
           .nominal = port.nominal});
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].derivative) {
        list_[first + *outputs[i].derivative].derivative_of = first + i;
      }
    }
  }

  void add_parameters() {
    for (const auto& parameter : source_.setup.parameters) {
      const auto& info = info_of(parameter);
      add({.name = parameter.name,
           .description = info.description,
           .causality = Causality::parameter,
           .variability = Variability::fixed,
           .initial = Initial::exact,
           .unit = info.unit,
           .start = parameter.start,
           .minimum = info.minimum,
           .maximum = info.maximum});
    }
  }

  /// Parameters of the subsystem itself are listed for its group.
  const ParameterInfo& info_of(const FmuParameter& parameter) const {
    const auto& all = source_.built_in.parameters;
    const auto found = std::ranges::find(all, parameter.path, &ParameterInfo::path);
    if (found != all.end()) {
      return *found;
    }
    const auto symbol = parameter.path.substr(parameter.path.find('.'));
    return *std::ranges::find(all, source_.subsystem.group + symbol, &ParameterInfo::path);
  }

  void add_states() {
    if (!source_.subsystem.dynamics) {
      return;
    }
    const auto nominal = source_.subsystem.dynamics().nominal_state;
    const auto first = list_.size();
    const auto state = [](Eigen::Index i) { return "state[" + std::to_string(i + 1) + "]"; };
    for (Eigen::Index i = 0; i < nominal.size(); ++i) {
      add({.name = state(i),
           .description = "continuous state",
           .causality = Causality::local,
           .initial = Initial::calculated,
           .nominal = nominal[i]});
    }
    for (Eigen::Index i = 0; i < nominal.size(); ++i) {
      add({.name = "der(" + state(i) + ")",
           .description = "derivative of " + state(i),
           .causality = Causality::local,
           .initial = Initial::calculated,
           .derivative_of = first + static_cast<std::size_t>(i)});
    }
  }

  const ExportSource& source_;
  std::vector<Variable> list_;
};

std::vector<std::string> units_of(const std::vector<Variable>& variables) {
  std::vector<std::string> names;
  for (const auto& variable : variables) {
    names.push_back(variable.unit);
  }
  return names;
}

/// The subsystem with something in the place of every parameter that is 0, which may cut an input
/// off; as it is if there is no such subsystem.
SubsystemDefinition without_zeros(const ExportSource& source) {
  std::vector<double> values;
  for (const auto& parameter : source.setup.parameters) {
    values.push_back(parameter.start == 0 ? 1e-3 : parameter.start);
  }
  auto built = build_subsystem(source.setup, values);
  auto* definition = std::get_if<SubsystemDefinition>(&built);
  return definition ? std::move(*definition) : source.subsystem;
}

/// What each output depends on: by the subsystem's own word, by its equations, and by those that
/// other parameters give. Absent where its equations are not known.
std::vector<std::optional<std::vector<std::size_t>>> dependencies_of(const ExportSource& source,
                                                                     const VariableTable& table) {
  const auto& ports = source.subsystem.description;
  std::vector<std::optional<std::vector<std::size_t>>> dependencies(ports.outputs.size());
  if (!source.subsystem.dynamics) {
    return dependencies;
  }
  ProbeInputs inputs;
  for (std::size_t i = 0; i < source.setup.inputs.size(); ++i) {
    (i < ports.inputs.size() ? inputs.u : inputs.w).push_back(source.setup.inputs[i].start);
  }
  const auto now = direct_dependencies(source.subsystem, inputs);
  const auto other = without_zeros(source);
  const auto then = direct_dependencies(other, inputs);
  for (std::size_t y = 0; y < dependencies.size(); ++y) {
    auto& list = dependencies[y].emplace();
    for (std::size_t i = 0; i < now[y].size(); ++i) {
      const auto says = [i](const models::OutputPort& port) {
        return std::ranges::find(port.direct_inputs, i) != port.direct_inputs.end();
      };
      if (now[y][i] || then[y][i] || says(ports.outputs[y]) || says(other.description.outputs[y])) {
        list.push_back(table.reference(VariableKind::input, 0) + i);
      }
    }
    for (std::size_t i = 0; i < table.count(VariableKind::state); ++i) {
      list.push_back(table.reference(VariableKind::state, i));
    }
  }
  return dependencies;
}

/// The longest chain of outputs that are derivatives of each other.
int output_derivative_order(const models::Description& ports) {
  int longest = 0;
  for (auto port : ports.outputs) {
    int order = 0;
    for (; port.derivative; ++order) {
      port = ports.outputs[*port.derivative];
    }
    longest = std::max(longest, order);
  }
  return longest;
}

Interface interface_of(const ExportSource& source) {
  const bool knows_equations = static_cast<bool>(source.subsystem.dynamics);
  return {.model_identifier = source.setup.problem + "_" + source.setup.subsystem,
          .can_get_and_set_state = true,
          .can_serialize_state = true,
          .provides_directional_derivatives = knows_equations,
          .needs_completed_integrator_step = false};
}

Interface co_simulation_of(const ExportSource& source) {
  const auto& ports = source.subsystem.description;
  auto interface = interface_of(source);
  interface.can_handle_variable_step = true;
  interface.max_input_derivative_order = models::max_extrapolation_order;
  interface.max_output_derivative_order = output_derivative_order(ports);
  interface.provides_intermediate_update = !ports.inputs.empty();
  return interface;
}

}  // namespace

models::fmi::ModelDescription describe_fmu(const ExportSource& source) {
  const auto& [setup, built_in, problem, subsystem, version] = source;
  models::fmi::ModelDescription model{
      .version = version,
      .version_text = version == models::fmi::Version::fmi2 ? "2.0" : "3.0",
      .model_name = setup.problem + "." + setup.subsystem,
      .description = built_in.title + ": the subsystem " + setup.subsystem + " of the coupling " +
                     setup.coupling + ", integrated by " + std::string(to_string(setup.integrator)),
      .token = setup.token,
      .generation_tool = "macrostep " + provenance().version,
      .co_simulation = co_simulation_of(source),
      .variables = Variables(source).list(),
      .log_categories = {"logStatusError", "logStatusDiscard"},
      .experiment = {.start_s = 0,
                     .stop_s = built_in.default_job.tests.front().duration_s,
                     .step_size_s = built_in.default_job.macro_step.initial_s}};
  if (subsystem.dynamics) {
    model.model_exchange = interface_of(source);
  }
  model.units = declared_units(units_of(model.variables));
  const auto& ports = subsystem.description;
  const auto states =
      subsystem.dynamics ? static_cast<std::size_t>(subsystem.dynamics().initial_state.size()) : 0;
  const VariableTable table({.inputs = ports.inputs.size(),
                             .externals = ports.externals.size(),
                             .outputs = ports.outputs.size(),
                             .parameters = setup.parameters.size(),
                             .states = states});
  const auto dependencies = dependencies_of(source, table);
  for (std::size_t i = 0; i < ports.outputs.size(); ++i) {
    model.outputs.push_back({table.reference(VariableKind::output, i), dependencies[i]});
  }
  for (std::size_t i = 0; i < states; ++i) {
    model.derivatives.push_back({table.reference(VariableKind::derivative, i), std::nullopt});
  }
  return model;
}

}  // namespace macrostep::engine
