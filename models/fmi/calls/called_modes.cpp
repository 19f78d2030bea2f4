#include "models/fmi/calls/called_modes.hpp"

#include <cmath>
#include <cstddef>
#include <string>

#include "models/fmi/instance/fmi3.h"

namespace macrostep::models::fmi::calls {

namespace {

/// Most states or indicators; more is taken for a wrong number.
constexpr std::size_t max_counted = 10'000'000;

std::vector<double> numbers(CalledInstance& instance, const char* fmi2_name, const char* fmi3_name,
                            Discard discard, std::size_t count) {
  std::vector<double> values(count);
  if (count == 0) {
    return values;
  }
  instance.call<int(void*, double*, std::size_t)>(instance.is_fmi2() ? fmi2_name : fmi3_name,
                                                  discard, values.data(), values.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) {
      instance.session().log.error("gave a number that is not finite, at place " +
                                   std::to_string(i + 1) + " of " + std::to_string(count));
    }
  }
  return values;
}

std::size_t counted(CalledInstance& instance, const char* name) {
  std::size_t count = 0;
  instance.call<int(void*, std::size_t*)>(name, Discard::wrong, &count);
  if (count > max_counted) {
    instance.session().log.error("gave " + std::to_string(count));
    throw SequenceEnded();
  }
  return count;
}

std::size_t state_count(CalledInstance& instance) {
  if (!instance.session().has_array_states) {
    return instance.session().fmu.description.derivatives.size();
  }
  if (!instance.array_counts().states) {
    instance.array_counts().states = counted(instance, "fmi3GetNumberOfContinuousStates");
  }
  return *instance.array_counts().states;
}

std::size_t indicator_count(CalledInstance& instance) {
  if (!instance.session().has_array_indicators) {
    return instance.session().fmu.description.event_indicators;
  }
  if (!instance.array_counts().indicators) {
    instance.array_counts().indicators = counted(instance, "fmi3GetNumberOfEventIndicators");
  }
  return *instance.array_counts().indicators;
}

}  // namespace

void enter_event_mode(CalledInstance& instance) {
  instance.call<int(void*)>(instance.is_fmi2() ? "fmi2EnterEventMode" : "fmi3EnterEventMode",
                            Discard::wrong);
}

EventOutcome update_discrete_states(CalledInstance& instance) {
  EventOutcome outcome;
  double next_s = 0;
  if (instance.is_fmi2()) {
    fmi2_event_info info{};
    instance.call<fmi2_new_discrete_states_function>("fmi2NewDiscreteStates", Discard::wrong,
                                                     &info);
    outcome = {.again = info.new_discrete_states_needed != fmi2_false,
               .terminated = info.terminate_simulation != fmi2_false,
               .states_changed = info.values_of_continuous_states_changed != fmi2_false};
    if (info.next_event_time_defined != fmi2_false) {
      outcome.next_event_s = info.next_event_time;
    }
    return outcome;
  }
  bool nominals_changed = false;
  bool next = false;
  instance.call<fmi3_update_discrete_states_function>(
      "fmi3UpdateDiscreteStates", Discard::wrong, &outcome.again, &outcome.terminated,
      &nominals_changed, &outcome.states_changed, &next, &next_s);
  if (next) {
    outcome.next_event_s = next_s;
  }
  return outcome;
}

void enter_continuous_time(CalledInstance& instance) {
  instance.call<int(void*)>(
      instance.is_fmi2() ? "fmi2EnterContinuousTimeMode" : "fmi3EnterContinuousTimeMode",
      Discard::wrong);
}

bool completed_step(CalledInstance& instance, bool no_set_state_prior) {
  fmi2_boolean enter2 = fmi2_false;
  fmi2_boolean terminate2 = fmi2_false;
  bool enter = false;
  bool terminate = false;
  if (instance.is_fmi2()) {
    instance.call<fmi2_completed_integrator_step_function>(
        "fmi2CompletedIntegratorStep", Discard::wrong, no_set_state_prior ? fmi2_true : fmi2_false,
        &enter2, &terminate2);
    enter = enter2 != fmi2_false;
    terminate = terminate2 != fmi2_false;
  } else {
    instance.call<fmi3_completed_integrator_step_function>(
        "fmi3CompletedIntegratorStep", Discard::wrong, no_set_state_prior, &enter, &terminate);
  }
  if (terminate) {
    instance.session().log.warning("asked to end the simulation");
    throw SequenceEnded();
  }
  return enter;
}

void set_time(CalledInstance& instance, double time_s) {
  instance.call<int(void*, double)>(instance.is_fmi2() ? "fmi2SetTime" : "fmi3SetTime",
                                    Discard::ends, time_s);
}

void set_states(CalledInstance& instance, std::span<const double> x) {
  instance.call<int(void*, const double*, std::size_t)>(
      instance.is_fmi2() ? "fmi2SetContinuousStates" : "fmi3SetContinuousStates", Discard::ends,
      x.data(), x.size());
}

std::vector<double> get_states(CalledInstance& instance) {
  return numbers(instance, "fmi2GetContinuousStates", "fmi3GetContinuousStates", Discard::wrong,
                 state_count(instance));
}

std::vector<double> get_nominals(CalledInstance& instance) {
  auto nominals =
      numbers(instance, "fmi2GetNominalsOfContinuousStates", "fmi3GetNominalsOfContinuousStates",
              Discard::wrong, state_count(instance));
  for (double& nominal : nominals) {
    if (!(nominal > 0)) {
      instance.session().log.error("gave a nominal that is not above 0");
      nominal = 1;
    }
  }
  return nominals;
}

std::vector<double> get_derivatives(CalledInstance& instance) {
  return numbers(instance, "fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives", Discard::ends,
                 state_count(instance));
}

std::vector<double> get_event_indicators(CalledInstance& instance) {
  return numbers(instance, "fmi2GetEventIndicators", "fmi3GetEventIndicators", Discard::ends,
                 indicator_count(instance));
}

void check_counts(CalledInstance& instance) {
  if (instance.is_fmi2()) {
    return;
  }
  const auto& model = instance.session().fmu.description;
  const auto check = [&](const char* name, bool has_arrays, std::size_t declared) {
    const auto count = counted(instance, name);
    if (!has_arrays && count != declared) {
      instance.session().log.error("gave " + std::to_string(count) +
                                   " where the description lists " + std::to_string(declared));
    }
  };
  check("fmi3GetNumberOfContinuousStates", instance.session().has_array_states,
        model.derivatives.size());
  check("fmi3GetNumberOfEventIndicators", instance.session().has_array_indicators,
        model.event_indicators);
}

}  // namespace macrostep::models::fmi::calls
