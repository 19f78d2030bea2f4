#include "models/fmi/calls/called_steps.hpp"

#include <string>

#include "models/fmi/instance/fmi3.h"
#include "models/fmi/xml/xml_text.hpp"

namespace macrostep::models::fmi::calls {

namespace {

/// FMI 2, after Discard.
void ask_how_far(CalledInstance& instance, StepEnd& end) {
  fmi2_boolean terminated = fmi2_false;
  if (instance.session().has("fmi2GetRealStatus")) {
    instance.call<fmi2_get_real_status_function>("fmi2GetRealStatus", Discard::answer,
                                                 fmi2_last_successful_time, &end.reached_s);
  }
  if (instance.session().has("fmi2GetBooleanStatus")) {
    instance.call<fmi2_get_boolean_status_function>("fmi2GetBooleanStatus", Discard::answer,
                                                    fmi2_terminated, &terminated);
  }
  end.terminate = terminated != fmi2_false;
}

}  // namespace

StepEnd do_step(CalledInstance& instance, double time_s, double size_s, bool no_set_state_prior) {
  StepEnd end{.reached_s = time_s};
  if (!instance.is_fmi2()) {
    end.answer = instance.call<fmi3_do_step_function>("fmi3DoStep", Discard::answer, time_s, size_s,
                                                      no_set_state_prior, &end.event_needed,
                                                      &end.terminate, &end.early, &end.reached_s);
  } else {
    end.answer = instance.call<fmi2_do_step_function>("fmi2DoStep", Discard::answer, time_s, size_s,
                                                      no_set_state_prior ? fmi2_true : fmi2_false);
  }
  if (end.answer != Answer::discard) {
    end.reached_s = instance.is_fmi2() ? time_s + size_s : end.reached_s;
    return end;
  }
  const auto tail = instance.session().log.tail();
  if (instance.is_fmi2()) {
    ask_how_far(instance, end);
  }
  instance.session().log.warning_of(instance.is_fmi2() ? "fmi2DoStep" : "fmi3DoStep",
                                    "returned Discard, having got to " + digits_of(end.reached_s) +
                                        " s of a step from " + digits_of(time_s) + " s on" + tail);
  return end;
}

void set_input_derivatives(CalledInstance& instance, std::span<const std::uint32_t> references,
                           int order, double value) {
  const std::vector orders(references.size(), order);
  const std::vector values(references.size(), value);
  instance.call<fmi2_set_real_input_derivatives_function>(
      "fmi2SetRealInputDerivatives", Discard::wrong, references.data(), references.size(),
      orders.data(), values.data());
}

std::optional<double> output_derivative(CalledInstance& instance, std::uint32_t reference,
                                        int order) {
  double value = 0;
  const auto answer = instance.is_fmi2()
                          ? instance.call<fmi2_get_real_output_derivatives_function>(
                                "fmi2GetRealOutputDerivatives", Discard::answer, &reference,
                                std::size_t{1}, &order, &value)
                          : instance.call<fmi3_get_output_derivatives_function>(
                                "fmi3GetOutputDerivatives", Discard::answer, &reference,
                                std::size_t{1}, &order, &value, std::size_t{1});
  return answer == Answer::discard ? std::nullopt : std::optional(value);
}

void enter_step_mode(CalledInstance& instance) {
  instance.call<int(void*)>("fmi3EnterStepMode", Discard::wrong);
}

}  // namespace macrostep::models::fmi::calls
