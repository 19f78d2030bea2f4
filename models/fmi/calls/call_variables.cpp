#include "models/fmi/calls/call_variables.hpp"

#include <algorithm>
#include <unordered_set>

#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi::calls {

namespace {

bool is_left_out(const Session& session, const Variable& variable) {
  return session.clocked.contains(variable.name) || variable.array ||
         variable.type == VariableType::binary || variable.type == VariableType::clock ||
         variable.causality == Causality::independent ||
         variable.causality == Causality::structural_parameter;
}

Initial initial_of(const Variable& variable) {
  if (variable.initial) {
    return *variable.initial;
  }
  return variable.variability == Variability::constant || variable.causality == Causality::parameter
             ? Initial::exact
             : Initial::calculated;
}

bool has_start(const Variable& variable) {
  return variable.start.has_value() || variable.start_text.has_value();
}

bool is_continuous(const Variable& variable) {
  return is_float(variable.type) && variable.variability == Variability::continuous;
}

bool may_set(const Session& session, const Variable& variable, Phase phase, bool event_mode) {
  const bool input = variable.causality == Causality::input;
  const bool tunable =
      variable.causality == Causality::parameter && variable.variability == Variability::tunable;
  const auto initial = initial_of(variable);
  const bool variable_at_all = variable.variability != Variability::constant;
  switch (phase) {
    case Phase::instantiated:
      // An input of FMI 3 counts as exact, one of FMI 2 has no initial.
      return variable_at_all && (input ? !session.is_fmi2() : initial != Initial::calculated);
    case Phase::initialization:
      return variable_at_all && (input || initial == Initial::exact);
    case Phase::event:
      return input || tunable;
    case Phase::continuous:
      return input && is_continuous(variable);
    case Phase::step:
      return event_mode ? input && is_continuous(variable) : input || tunable;
    case Phase::terminated:
      break;
  }
  return false;
}

/// States and their derivatives.
std::unordered_set<const Variable*> dynamic_ones(const ModelDescription& model) {
  std::unordered_set<const Variable*> found;
  for (const auto& unknown : model.derivatives) {
    const auto& derivative = model.variables[unknown.variable];
    found.insert(&derivative);
    if (derivative.derivative_of) {
      found.insert(&model.variables[*derivative.derivative_of]);
    }
  }
  return found;
}

template <class Wanted>
Variables chosen(const Session& session, Wanted wanted) {
  Variables variables;
  for (const auto& variable : session.fmu.description.variables) {
    if (!is_left_out(session, variable) && wanted(variable)) {
      variables.push_back(&variable);
    }
  }
  return variables;
}

}  // namespace

Variables settable(const Session& session, Phase phase, bool event_mode) {
  return chosen(session, [&](const Variable& variable) {
    // Before and at the initialisation is one instant.
    return has_start(variable) && may_set(session, variable, phase, event_mode) &&
           (phase == Phase::initialization || !session.set_once.contains(variable.name));
  });
}

Variables gettable(const Session& session, Phase phase) {
  if (phase == Phase::instantiated) {
    return {};
  }
  const auto dynamic = dynamic_ones(session.fmu.description);
  return chosen(session, [&](const Variable& variable) {
    return phase != Phase::initialization || variable.causality == Causality::output ||
           dynamic.contains(&variable);
  });
}

Variables exact_ones(const Session& session) {
  return chosen(session, [](const Variable& variable) {
    const bool kept = variable.causality == Causality::parameter ||
                      variable.causality == Causality::input ||
                      variable.variability == Variability::constant;
    return has_start(variable) && kept;
  });
}

Values starts_of(const Session& session, const Variables& variables) {
  Values values;
  for (const auto* const variable : variables) {
    if (variable->start_text) {
      values.push_back({.number = 0, .bytes = *variable->start_text});
    } else {
      values.push_back(
          value_of(*variable, session.fmu.description.version, variable->start.value_or(0)));
    }
  }
  return values;
}

Variables observed(const Session& session) {
  return chosen(session, [](const Variable& variable) {
    return variable.causality == Causality::output && variable.type != VariableType::string;
  });
}

Variables continuous_inputs(const Session& session) {
  return chosen(session, [&](const Variable& variable) {
    return variable.causality == Causality::input && variable.type == VariableType::float64 &&
           is_continuous(variable) && !session.set_once.contains(variable.name);
  });
}

Variables continuous_outputs(const Session& session) {
  return chosen(session, [](const Variable& variable) {
    return variable.causality == Causality::output && variable.type == VariableType::float64 &&
           is_continuous(variable);
  });
}

}  // namespace macrostep::models::fmi::calls
