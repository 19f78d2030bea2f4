#include "models/fmi/simulation/fmu_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "models/subsystem/unit.hpp"

namespace macrostep::models::fmi {

namespace {

/// Cost of a step or an evaluation, in right-hand sides of a spring and a mass: a guess, for what
/// happens inside is unknown.
constexpr double fmu_weight = 100;

bool is_number(VariableType type) {
  return type != VariableType::string && type != VariableType::binary &&
         type != VariableType::clock;
}

bool is_real(VariableType type) {
  return type == VariableType::float32 || type == VariableType::float64;
}

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

/// Why the variable cannot have this value; empty if it can.
std::string wrong_value(const Variable& variable, const ParameterValue& value) {
  if (variable.array) {
    return "is an array, and only scalars can be set";
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return variable.type == VariableType::string
               ? ""
               : "is a " + std::string(to_string(variable.type)) + ", not a text: '" + *text + "'";
  }
  const double number = std::get<double>(value);
  if (!is_number(variable.type)) {
    return "is a " + std::string(to_string(variable.type)) + ", not a number";
  }
  if (variable.type == VariableType::boolean && number != 0 && number != 1) {
    return "must be true or false, not " + number_text(number);
  }
  if (!is_real(variable.type) && number != std::round(number)) {
    return "must be a whole number, not " + number_text(number);
  }
  if ((variable.minimum && number < *variable.minimum) ||
      (variable.maximum && number > *variable.maximum)) {
    return number_text(number) + " is outside " +
           (variable.minimum ? number_text(*variable.minimum) : "-∞") + " … " +
           (variable.maximum ? number_text(*variable.maximum) : "∞");
  }
  return "";
}

/// Why no trial can run with this FMU; empty if one can.
std::string wrong_fmu(const Fmu& fmu) {
  const auto& description = fmu.description;
  const auto usable = [](const auto& interface, const auto& library) {
    return interface && library && !interface->needs_execution_tool;
  };
  if (usable(description.co_simulation, fmu.co_simulation_library) ||
      usable(description.model_exchange, fmu.model_exchange_library)) {
    const bool input_clock = std::ranges::any_of(description.variables, [](const Variable& one) {
      return one.type == VariableType::clock && one.causality == Causality::input;
    });
    return input_clock ? "has input clocks, which are not supported: nobody would make them tick"
                       : "";
  }
  if (!description.co_simulation && !description.model_exchange) {
    return "offers scheduled execution only, which is not supported; co-simulation and model "
           "exchange are";
  }
  const auto needs_tool = [](const auto& interface) {
    return interface && interface->needs_execution_tool;
  };
  if (needs_tool(description.co_simulation) || needs_tool(description.model_exchange)) {
    return "needs the tool that exported it (needsExecutionTool), which is not supported";
  }
  return "has no library for 64-bit Linux";
}

const Unknown* unknown_of(const std::vector<Unknown>& unknowns, std::size_t variable) {
  const auto found = std::ranges::find(unknowns, variable, &Unknown::variable);
  return found == unknowns.end() ? nullptr : &*found;
}

/// Positions in `inputs` of the dependencies. Unknown ones are none: the loop of feedthrough that
/// they might close is found by the initial iteration, if it is there.
std::vector<std::size_t> direct_inputs(const ModelDescription& description, std::size_t output,
                                       const std::vector<std::size_t>& inputs) {
  std::vector<std::size_t> positions;
  const auto* unknown = unknown_of(description.outputs, output);
  if (unknown == nullptr || !unknown->dependencies) {
    return positions;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& depends = *unknown->dependencies;
    if (std::ranges::find(depends, inputs[i]) != depends.end()) {
      positions.push_back(i);
    }
  }
  return positions;
}

bool may_feed_through(const ModelDescription& description,
                      const std::vector<std::size_t>& outputs) {
  return std::ranges::any_of(outputs, [&](std::size_t output) {
    const auto* unknown = unknown_of(description.outputs, output);
    if (unknown == nullptr || !unknown->dependencies) {
      return true;
    }
    return std::ranges::any_of(*unknown->dependencies, [&](std::size_t variable) {
      return description.variables[variable].causality == Causality::input;
    });
  });
}

/// Whether values of this variable are of the present communication point's state or inputs, so
/// that the next entry of an "s, ṡ" chain can be found.
std::optional<std::size_t> derivative_port(const ModelDescription& description,
                                           std::size_t variable,
                                           const std::vector<std::size_t>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& candidate = description.variables[outputs[i]];
    if (candidate.derivative_of == variable) {
      return i;
    }
  }
  return std::nullopt;
}

/// "m/s" of base units m s^-1.
std::string base_text(const DeclaredUnit& unit) {
  constexpr std::array<std::string_view, 8> names{"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < unit.exponents.size(); ++i) {
    const int power = unit.exponents[i];
    if (power != 0) {
      text += (text.empty() ? "" : " ") + std::string(names[i]) +
              (power == 1 ? "" : "^" + std::to_string(power));
    }
  }
  return text.empty() ? "1" : text;
}

}  // namespace

bool is_port(const Variable& variable, Causality causality) {
  return variable.causality == causality && is_number(variable.type) && !variable.array;
}

bool is_continuous(const Variable& variable) {
  return is_real(variable.type) && variable.variability == Variability::continuous;
}

bool may_have_events(const FmuModel& model) {
  const auto& description = model.fmu->description;
  return description.event_indicators > 0 ||
         std::ranges::any_of(description.variables, [](const Variable& variable) {
           return variable.variability == Variability::discrete;
         });
}

bool returns_at_events(const FmuModel& model) {
  const auto& description = model.fmu->description;
  const auto& interface = description.co_simulation;
  const auto continuous = [&](std::size_t v) { return is_continuous(description.variables[v]); };
  return description.version == Version::fmi3 && interface && interface->has_event_mode &&
         std::ranges::all_of(model.inputs, continuous) &&
         std::ranges::all_of(model.externals, continuous);
}

std::string port_unit(const ModelDescription& description, const Variable& variable) {
  if (variable.unit.empty()) {
    return std::string(unknown_unit);
  }
  if (unit_from(variable.unit)) {
    return variable.unit;
  }
  const auto declared = std::ranges::find(description.units, variable.unit, &DeclaredUnit::name);
  if (declared != description.units.end() && declared->has_base && declared->factor == 1 &&
      declared->offset == 0 && unit_from(base_text(*declared))) {
    return base_text(*declared);
  }
  return std::string(unknown_unit);
}

std::vector<Integrator> offered_integrators(const Fmu& fmu) {
  std::vector<Integrator> offered;
  const auto& description = fmu.description;
  if (description.co_simulation && fmu.co_simulation_library &&
      !description.co_simulation->needs_execution_tool) {
    offered.push_back(Integrator::fmu);
  }
  if (description.model_exchange && fmu.model_exchange_library &&
      !description.model_exchange->needs_execution_tool) {
    offered.insert(offered.end(), {Integrator::trapezoidal, Integrator::forward_euler,
                                   Integrator::rk4, Integrator::cvode});
  }
  return offered;
}

namespace {

constexpr std::size_t max_named_parameters = 10;

/// "; it has m, k and 3 more".
std::string known_parameters(const Fmu& fmu) {
  std::vector<std::string> names;
  for (const auto& variable : fmu.description.variables) {
    if (variable.causality == Causality::parameter) {
      names.push_back(variable.name);
    }
  }
  std::string text = names.empty() ? "; it has none" : "; it has ";
  for (std::size_t i = 0; i < std::min(names.size(), max_named_parameters); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return names.size() <= max_named_parameters
             ? text
             : text + " and " + std::to_string(names.size() - max_named_parameters) + " more";
}

}  // namespace

std::vector<ParameterError> check_use(const Fmu& fmu, const FmuUse& use) {
  std::vector<ParameterError> errors;
  if (auto wrong = wrong_fmu(fmu); !wrong.empty()) {
    errors.push_back({"", std::move(wrong)});
  }
  for (const auto& [name, value] : use.parameters) {
    const auto* variable = fmu.description.find(name);
    if (variable == nullptr || variable->causality != Causality::parameter) {
      const bool structural =
          variable != nullptr && variable->causality == Causality::structural_parameter;
      errors.push_back({"parameters/" + name,
                        structural ? "is a structural parameter, which cannot be set here"
                        : variable ? "is not a parameter of the FMU: its causality is " +
                                         std::string(to_string(variable->causality))
                                   : "is no parameter of the FMU" + known_parameters(fmu)});
    } else if (auto wrong = wrong_value(*variable, value); !wrong.empty()) {
      errors.push_back({"parameters/" + name, std::move(wrong)});
    }
  }
  for (const auto& [name, value] : use.nominal) {
    const auto* variable = fmu.description.find(name);
    if (variable == nullptr || !is_port(*variable, Causality::output)) {
      errors.push_back({"nominal/" + name, "is no output of the FMU that can be connected"});
    }
  }
  return errors;
}

FmuModelPointer make_model(FmuPointer fmu, const FmuUse& use) {
  FmuModel model{.fmu = fmu, .name = use.name};
  const auto& description = fmu->description;
  const auto& variables = description.variables;
  const auto listed = [](const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  auto& ports = model.description;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const auto& variable = variables[v];
    if (is_port(variable, Causality::output)) {
      model.outputs.push_back(v);
    } else if (is_port(variable, Causality::input) && listed(use.externals, variable.name)) {
      model.externals.push_back(v);
      ports.externals.push_back({.name = variable.name, .unit = port_unit(description, variable)});
    } else if (is_port(variable, Causality::input) && listed(use.inputs, variable.name)) {
      model.inputs.push_back(v);
      ports.inputs.push_back({.name = variable.name,
                              .unit = port_unit(description, variable),
                              .discrete = !is_continuous(variable),
                              .whole = !is_real(variable.type)});
    }
  }
  for (const auto v : model.outputs) {
    const auto& variable = variables[v];
    const auto told = use.nominal.find(variable.name);
    ports.outputs.push_back({.name = variable.name,
                             .unit = port_unit(description, variable),
                             .nominal = told != use.nominal.end()
                                            ? told->second
                                            : std::abs(variable.nominal.value_or(default_nominal)),
                             .derivative = derivative_port(description, v, model.outputs),
                             .direct_inputs = direct_inputs(description, v, model.inputs),
                             .discrete = !is_continuous(variable),
                             .whole = !is_real(variable.type)});
    if (ports.outputs.back().nominal == 0) {
      ports.outputs.back().nominal = default_nominal;
    }
  }
  model.feeds_through = may_feed_through(description, model.outputs);
  for (const auto& [name, value] : use.parameters) {
    const auto index = *description.index_of(name);
    if (const auto* text = std::get_if<std::string>(&value)) {
      model.texts.emplace_back(index, *text);
    } else {
      model.numbers.emplace_back(index, std::get<double>(value));
    }
  }
  ports.rhs_weight = fmu_weight;
  const auto rolls_back = [](const auto& interface) {
    return !interface || interface->can_get_and_set_state;
  };
  ports.can_roll_back =
      rolls_back(description.co_simulation) && rolls_back(description.model_exchange);
  return std::make_shared<const FmuModel>(std::move(model));
}

InputMethod input_method(const FmuModel& model, Integrator integrator,
                         std::optional<double> micro_step_s, int degree) {
  if (integrator != Integrator::fmu) {
    return InputMethod::native;
  }
  const auto& description = model.fmu->description;
  const auto& interface = *description.co_simulation;
  const auto all_inputs = [&](auto condition) {
    return std::ranges::all_of(model.inputs, [&](std::size_t v) {
      const auto& variable = description.variables[v];
      return !is_continuous(variable) || condition(variable);
    });
  };
  if (degree > 0 && interface.max_input_derivative_order >= degree &&
      all_inputs([](const Variable& v) { return v.type == VariableType::float64; })) {
    return InputMethod::input_derivatives;
  }
  if (degree > 0 && interface.provides_intermediate_update &&
      all_inputs([](const Variable& v) { return v.intermediate_update; })) {
    return InputMethod::intermediate_update;
  }
  return degree == 0 || micro_step_s ? InputMethod::micro_steps : InputMethod::none;
}

}  // namespace macrostep::models::fmi
