// The functions of FMI 2.0 that the library exports, with the shapes of models/fmi/instance/fmi2.h,
// and the component behind its instances.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/fmu_export/library/component.hpp"
#include "models/fmi/instance/fmi2.h"

namespace macrostep::engine::library {

struct Fmi2Component {
  std::string name;
  fmi2_callbacks callbacks{};
  LogFilter log;
  std::unique_ptr<FmuInstance> instance;
  double start_s = 0;
  std::optional<double> stop_s;
};

/// Errors are told even if debug logging is off, as the status alone says nothing.
inline void log_message(const Fmi2Component& component, bool discard, const std::string& text) {
  const bool wanted = component.log.wants(discard) || (!discard && !component.log.on);
  if (wanted && component.callbacks.logger) {
    component.callbacks.logger(component.callbacks.component_environment, component.name.c_str(),
                               discard ? fmi2_discard : fmi2_error,
                               discard ? log_discard : log_error, "%s", text.c_str());
  }
}

template <class Action>
fmi2_status call(fmi2_component handle, const Demands& demands, const Action& action) noexcept {
  if (!handle) {
    return fmi2_error;
  }
  auto& component = *static_cast<Fmi2Component*>(handle);
  const auto log = [&](bool discard, const std::string& text) {
    log_message(component, discard, text);
  };
  switch (guarded(*component.instance, demands, log, action)) {
    case Outcome::ok:
      return fmi2_ok;
    case Outcome::discard:
      return fmi2_discard;
    default:
      return fmi2_error;
  }
}

inline Fmi2Component& component_of(fmi2_component handle) {
  return *static_cast<Fmi2Component*>(handle);
}

}  // namespace macrostep::engine::library

extern "C" {
#pragma GCC visibility push(default)
fmi2_get_types_platform_function fmi2GetTypesPlatform;
fmi2_get_version_function fmi2GetVersion;
fmi2_set_debug_logging_function fmi2SetDebugLogging;
fmi2_instantiate_function fmi2Instantiate;
fmi2_free_instance_function fmi2FreeInstance;
fmi2_setup_experiment_function fmi2SetupExperiment;
fmi2_enter_initialization_mode_function fmi2EnterInitializationMode;
fmi2_exit_initialization_mode_function fmi2ExitInitializationMode;
fmi2_terminate_function fmi2Terminate;
fmi2_reset_function fmi2Reset;
fmi2_get_real_function fmi2GetReal;
fmi2_get_integer_function fmi2GetInteger;
fmi2_get_boolean_function fmi2GetBoolean;
fmi2_get_string_function fmi2GetString;
fmi2_set_real_function fmi2SetReal;
fmi2_set_integer_function fmi2SetInteger;
fmi2_set_boolean_function fmi2SetBoolean;
fmi2_set_string_function fmi2SetString;
fmi2_get_fmu_state_function fmi2GetFMUstate;
fmi2_set_fmu_state_function fmi2SetFMUstate;
fmi2_free_fmu_state_function fmi2FreeFMUstate;
fmi2_serialized_fmu_state_size_function fmi2SerializedFMUstateSize;
fmi2_serialize_fmu_state_function fmi2SerializeFMUstate;
fmi2_deserialize_fmu_state_function fmi2DeSerializeFMUstate;
fmi2_get_directional_derivative_function fmi2GetDirectionalDerivative;
fmi2_enter_event_mode_function fmi2EnterEventMode;
fmi2_new_discrete_states_function fmi2NewDiscreteStates;
fmi2_enter_continuous_time_mode_function fmi2EnterContinuousTimeMode;
fmi2_completed_integrator_step_function fmi2CompletedIntegratorStep;
fmi2_set_time_function fmi2SetTime;
fmi2_set_continuous_states_function fmi2SetContinuousStates;
fmi2_get_derivatives_function fmi2GetDerivatives;
fmi2_get_event_indicators_function fmi2GetEventIndicators;
fmi2_get_continuous_states_function fmi2GetContinuousStates;
fmi2_get_nominals_of_continuous_states_function fmi2GetNominalsOfContinuousStates;
fmi2_set_real_input_derivatives_function fmi2SetRealInputDerivatives;
fmi2_get_real_output_derivatives_function fmi2GetRealOutputDerivatives;
fmi2_do_step_function fmi2DoStep;
fmi2_cancel_step_function fmi2CancelStep;
fmi2_get_status_function fmi2GetStatus;
fmi2_get_real_status_function fmi2GetRealStatus;
fmi2_get_integer_status_function fmi2GetIntegerStatus;
fmi2_get_boolean_status_function fmi2GetBooleanStatus;
fmi2_get_string_status_function fmi2GetStringStatus;
#pragma GCC visibility pop
}
