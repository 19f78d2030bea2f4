#include "models/fmi/sequences/value_sequences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "models/fmi/calls/called_modes.hpp"
#include "models/fmi/calls/called_values.hpp"
#include "models/fmi/calls/simulation.hpp"
#include "models/fmi/xml/xml_text.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::calls {

namespace {

/// The share of an input or of 1, whichever is larger, to move it by: so small that no model minds.
constexpr double nudge_share = 1e-6;
/// How far values that should be one may be apart: tools write starts with only ten digits.
constexpr double kept_share = 1e-9;

void tell_which(CalledInstance& instance, const Variable& variable, const char* what,
                const SequenceEnded& end) {
  auto& log = instance.session().log;
  const auto where = "variable " + shown(std::string_view(variable.name));
  if (end.discarded) {
    log.warning_of(where, what);
  } else {
    log.error_of(where, what);
  }
}

/// Each by a call of its own, so that a message tells which it was, then all together.
void read_each(CalledInstance& instance, const Variables& variables) {
  for (const auto* const variable : variables) {
    try {
      get(instance, {variable});
    } catch (const SequenceEnded& end) {
      tell_which(instance, *variable, "cannot be read", end);
      throw;
    }
  }
  get(instance, variables);
}

void set_each(CalledInstance& instance, const Variables& variables) {
  const auto values = starts_of(instance.session(), variables);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    try {
      set(instance, {variables[i]}, {values[i]});
    } catch (const SequenceEnded& end) {
      tell_which(instance, *variables[i], "cannot be set to its start", end);
      throw;
    }
  }
  auto again = variables;
  std::erase_if(again, [&](const Variable* variable) {
    return instance.session().set_once.contains(variable->name);
  });
  set(instance, again, starts_of(instance.session(), again));
}

std::string text_of(const Variable& variable, const Value& value) {
  return variable.type == VariableType::string ? "\"" + shown(std::string_view(value.bytes)) + "\""
                                               : digits_of(value.number);
}

/// Values that are off by more than their last digits are reported with this severity.
void check_kept(CalledInstance& instance, const Variables& variables, const Values& wanted,
                const std::string& how, Severity severity) {
  auto& log = instance.session().log;
  const auto values = get(instance, variables);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool is_text = variables[i]->type == VariableType::string;
    const double is = values[i].number;
    const double should = wanted[i].number;
    if (values[i] == wanted[i] || (!is_text && is == should)) {
      continue;
    }
    const auto where = "variable " + shown(std::string_view(variables[i]->name));
    const auto text =
        "is " + text_of(*variables[i], values[i]) + how + text_of(*variables[i], wanted[i]);
    const bool is_rounding =
        variables[i]->type == VariableType::float64 &&
        std::abs(is - should) <= kept_share * std::max(std::abs(is), std::abs(should));
    if (is_rounding || severity == Severity::warning) {
      log.warning_of(where, text);
    } else {
      log.error_of(where, text);
    }
  }
}

/// A little more than the start, within the limits.
Values nudged(const Session& session, const Variables& inputs) {
  auto values = starts_of(session, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& input = *inputs[i];
    if (input.type != VariableType::float64) {
      continue;
    }
    const double start = values[i].number;
    double value = start + nudge_share * std::max(1.0, std::abs(start));
    value = std::min(value, input.maximum.value_or(value));
    values[i] = value_of(input, session.fmu.description.version, value);
  }
  return values;
}

/// In co-simulation an FMU may take inputs with the next step alone: the standards do not say that
/// they can be read before it (FMI 2.0.5, p. 109).
void set_and_read_back(Session& session, CalledInstance& instance, Phase phase) {
  auto inputs = settable(session, phase, instance.uses_event_mode());
  std::erase_if(inputs,
                [](const Variable* variable) { return variable->causality != Causality::input; });
  const auto values = nudged(session, inputs);
  set(instance, inputs, values);
  check_kept(instance, inputs, values, " after it was set to ",
             session.is_co_simulation() ? Severity::warning : Severity::error);
  set(instance, inputs, starts_of(session, inputs));
}

/// What nobody sets has its declared start.
void keep_starts(Session& session) {
  Simulation one(session);
  one.begin_initialization();
  one.end_initialization();
  const auto variables = exact_ones(session);
  check_kept(one.instance(), variables, starts_of(session, variables),
             " after the initialisation, and its declared start is ", Severity::error);
}

void read_and_set(Session& session) {
  Simulation one(session);
  auto& instance = one.instance();
  set_each(instance, settable(session, Phase::instantiated));
  one.begin_initialization();
  set_each(instance, settable(session, Phase::initialization));
  read_each(instance, gettable(session, Phase::initialization));
  one.end_initialization();
  const auto running = session.is_co_simulation() ? Phase::step : Phase::continuous;
  set_each(instance, settable(session, running, instance.uses_event_mode()));
  read_each(instance, gettable(session, running));
  set_and_read_back(session, instance, running);
  one.steps(0, 1);
  if (!session.is_co_simulation()) {
    enter_event_mode(instance);
    set_each(instance, settable(session, Phase::event));
    read_each(instance, gettable(session, Phase::event));
    set_and_read_back(session, instance, Phase::event);
    one.settle();
    enter_continuous_time(instance);
  }
  one.finish();
}

void read_after_end(Session& session) {
  Simulation one(session);
  one.begin();
  one.steps(0, run_steps);
  one.finish();
  read_each(one.instance(), gettable(session, Phase::terminated));
}

constexpr std::array sequences{
    Sequence{"an initialisation without setting anything", always, keep_starts},
    Sequence{"reading and setting every variable in every state", always, read_and_set},
    Sequence{"reading values after the end", always, read_after_end},
};

}  // namespace

std::span<const Sequence> value_sequences() {
  return sequences;
}

}  // namespace macrostep::models::fmi::calls
