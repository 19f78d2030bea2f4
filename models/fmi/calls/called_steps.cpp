// Steps of co-simulation, events, and what model exchange has.

#include <cmath>
#include <string>

#include "models/fmi/calls/called_instance.hpp"
#include "models/fmi/fmi3.h"
#include "models/fmi/xml_text.hpp"

namespace macrostep::models::fmi::calls {

namespace {

/// Of states and indicators; more is taken for a wrong number.
constexpr std::size_t max_counted = 10'000'000;

}  // namespace

StepEnd CalledInstance::do_step(double time_s, double size_s, bool no_set_state_prior) {
  StepEnd end{.reached_s = time_s};
  if (!two()) {
    end.answer = call<fmi3_do_step_function>("fmi3DoStep", Discard::answer, time_s, size_s,
                                             no_set_state_prior, &end.event_needed, &end.terminate,
                                             &end.early, &end.reached_s);
  } else {
    end.answer = call<fmi2_do_step_function>("fmi2DoStep", Discard::answer, time_s, size_s,
                                             no_set_state_prior ? fmi2_true : fmi2_false);
  }
  if (end.answer != Answer::discard) {
    end.reached_s = two() ? time_s + size_s : end.reached_s;
    return end;
  }
  const auto tail = session_.log.tail();
  if (two()) {
    ask_how_far(end);
  }
  session_.log.warning_of(two() ? "fmi2DoStep" : "fmi3DoStep",
                          "returned Discard, having got to " + digits_of(end.reached_s) +
                              " s of a step from " + digits_of(time_s) + " s on" + tail);
  return end;
}

/// FMI 2, after Discard.
void CalledInstance::ask_how_far(StepEnd& end) {
  fmi2_boolean terminated = fmi2_false;
  if (session_.has("fmi2GetRealStatus")) {
    call<fmi2_get_real_status_function>("fmi2GetRealStatus", Discard::answer,
                                        fmi2_last_successful_time, &end.reached_s);
  }
  if (session_.has("fmi2GetBooleanStatus")) {
    call<fmi2_get_boolean_status_function>("fmi2GetBooleanStatus", Discard::answer, fmi2_terminated,
                                           &terminated);
  }
  end.terminate = terminated != fmi2_false;
}

void CalledInstance::set_input_derivatives(std::span<const std::uint32_t> references, int order,
                                           double value) {
  const std::vector orders(references.size(), order);
  const std::vector values(references.size(), value);
  call<fmi2_set_real_input_derivatives_function>("fmi2SetRealInputDerivatives", Discard::wrong,
                                                 references.data(), references.size(),
                                                 orders.data(), values.data());
}

std::optional<double> CalledInstance::output_derivative(std::uint32_t reference, int order) {
  double value = 0;
  const auto answer = two() ? call<fmi2_get_real_output_derivatives_function>(
                                  "fmi2GetRealOutputDerivatives", Discard::answer, &reference,
                                  std::size_t{1}, &order, &value)
                            : call<fmi3_get_output_derivatives_function>(
                                  "fmi3GetOutputDerivatives", Discard::answer, &reference,
                                  std::size_t{1}, &order, &value, std::size_t{1});
  return answer == Answer::discard ? std::nullopt : std::optional(value);
}

void CalledInstance::enter_step_mode() {
  call<int(void*)>("fmi3EnterStepMode", Discard::wrong);
}

void CalledInstance::enter_event_mode() {
  call<int(void*)>(two() ? "fmi2EnterEventMode" : "fmi3EnterEventMode", Discard::wrong);
}

EventOutcome CalledInstance::update_discrete_states() {
  EventOutcome outcome;
  double next_s = 0;
  if (two()) {
    fmi2_event_info info{};
    call<fmi2_new_discrete_states_function>("fmi2NewDiscreteStates", Discard::wrong, &info);
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
  call<fmi3_update_discrete_states_function>("fmi3UpdateDiscreteStates", Discard::wrong,
                                             &outcome.again, &outcome.terminated, &nominals_changed,
                                             &outcome.states_changed, &next, &next_s);
  if (next) {
    outcome.next_event_s = next_s;
  }
  return outcome;
}

void CalledInstance::enter_continuous_time() {
  call<int(void*)>(two() ? "fmi2EnterContinuousTimeMode" : "fmi3EnterContinuousTimeMode",
                   Discard::wrong);
}

bool CalledInstance::completed_step(bool no_set_state_prior) {
  fmi2_boolean enter2 = fmi2_false;
  fmi2_boolean terminate2 = fmi2_false;
  bool enter = false;
  bool terminate = false;
  if (two()) {
    call<fmi2_completed_integrator_step_function>("fmi2CompletedIntegratorStep", Discard::wrong,
                                                  no_set_state_prior ? fmi2_true : fmi2_false,
                                                  &enter2, &terminate2);
    enter = enter2 != fmi2_false;
    terminate = terminate2 != fmi2_false;
  } else {
    call<fmi3_completed_integrator_step_function>("fmi3CompletedIntegratorStep", Discard::wrong,
                                                  no_set_state_prior, &enter, &terminate);
  }
  if (terminate) {
    session_.log.warning("asked to end the simulation");
    throw SequenceEnded();
  }
  return enter;
}

void CalledInstance::set_time(double time_s) {
  call<int(void*, double)>(two() ? "fmi2SetTime" : "fmi3SetTime", Discard::ends, time_s);
}

void CalledInstance::set_states(std::span<const double> x) {
  call<int(void*, const double*, std::size_t)>(
      two() ? "fmi2SetContinuousStates" : "fmi3SetContinuousStates", Discard::ends, x.data(),
      x.size());
}

std::vector<double> CalledInstance::numbers(const char* fmi2_name, const char* fmi3_name,
                                            Discard discard, std::size_t count) {
  std::vector<double> values(count);
  if (count == 0) {
    return values;
  }
  call<int(void*, double*, std::size_t)>(two() ? fmi2_name : fmi3_name, discard, values.data(),
                                         values.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) {
      session_.log.error("gave a number that is not finite, at place " + std::to_string(i + 1) +
                         " of " + std::to_string(count));
    }
  }
  return values;
}

std::vector<double> CalledInstance::get_states() {
  return numbers("fmi2GetContinuousStates", "fmi3GetContinuousStates", Discard::wrong,
                 state_count());
}

std::vector<double> CalledInstance::get_nominals() {
  auto nominals = numbers("fmi2GetNominalsOfContinuousStates", "fmi3GetNominalsOfContinuousStates",
                          Discard::wrong, state_count());
  for (double& nominal : nominals) {
    if (!(nominal > 0)) {
      session_.log.error("gave a nominal that is not above 0");
      nominal = 1;
    }
  }
  return nominals;
}

std::vector<double> CalledInstance::get_derivatives() {
  return numbers("fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives", Discard::ends,
                 state_count());
}

std::vector<double> CalledInstance::get_event_indicators() {
  return numbers("fmi2GetEventIndicators", "fmi3GetEventIndicators", Discard::ends,
                 indicator_count());
}

std::size_t CalledInstance::state_count() {
  if (!session_.has_array_states) {
    return session_.fmu.description.derivatives.size();
  }
  if (!state_count_) {
    state_count_ = counted("fmi3GetNumberOfContinuousStates");
  }
  return *state_count_;
}

std::size_t CalledInstance::indicator_count() {
  if (!session_.has_array_indicators) {
    return session_.fmu.description.event_indicators;
  }
  if (!indicator_count_) {
    indicator_count_ = counted("fmi3GetNumberOfEventIndicators");
  }
  return *indicator_count_;
}

std::size_t CalledInstance::counted(const char* name) {
  std::size_t count = 0;
  call<int(void*, std::size_t*)>(name, Discard::wrong, &count);
  if (count > max_counted) {
    session_.log.error("gave " + std::to_string(count));
    throw SequenceEnded();
  }
  return count;
}

void CalledInstance::check_counts() {
  if (two()) {
    return;
  }
  const auto& model = session_.fmu.description;
  const auto check = [&](const char* name, bool has_arrays, std::size_t declared) {
    const auto count = counted(name);
    if (!has_arrays && count != declared) {
      session_.log.error("gave " + std::to_string(count) + " where the description lists " +
                         std::to_string(declared));
    }
  };
  check("fmi3GetNumberOfContinuousStates", session_.has_array_states, model.derivatives.size());
  check("fmi3GetNumberOfEventIndicators", session_.has_array_indicators, model.event_indicators);
}

}  // namespace macrostep::models::fmi::calls
