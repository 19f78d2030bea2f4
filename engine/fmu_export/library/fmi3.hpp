// The functions of FMI 3.0 that the library exports, with the shapes of models/fmi/instance/fmi3.h
// and, for clocks and what else this FMU does not have, of the standard; and the component behind
// its instances.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/fmu_export/library/component.hpp"
#include "models/fmi/instance/fmi3.h"

namespace macrostep::engine::library {

struct Fmi3Component {
  std::string name;
  LogFilter log;
  fmi3_instance_environment environment = nullptr;
  fmi3_log_message_callback log_message = nullptr;
  fmi3_intermediate_update_callback intermediate_update = nullptr;
  /// Value references of the inputs that the importer sets within a step.
  std::vector<fmi3_value_reference> required_inputs;
  std::unique_ptr<FmuInstance> instance;
};

inline Fmi3Component& component_of(fmi3_instance handle) {
  return *static_cast<Fmi3Component*>(handle);
}

inline void log_message(const Fmi3Component& component, bool discard, const std::string& text) {
  if (component.log.wants(discard) && component.log_message) {
    component.log_message(component.environment, discard ? fmi3_discard : fmi3_error,
                          discard ? log_discard : log_error, text.c_str());
  }
}

template <class Action>
fmi3_status call(fmi3_instance handle, const Demands& demands, const Action& action) noexcept {
  if (!handle) {
    return fmi3_error;
  }
  auto& component = component_of(handle);
  const auto log = [&](bool discard, const std::string& text) {
    log_message(component, discard, text);
  };
  switch (guarded(*component.instance, demands, log, action)) {
    case Outcome::ok:
      return fmi3_ok;
    case Outcome::discard:
      return fmi3_discard;
    default:
      return fmi3_error;
  }
}

}  // namespace macrostep::engine::library

extern "C" {
#pragma GCC visibility push(default)
fmi3_get_version_function fmi3GetVersion;
fmi3_set_debug_logging_function fmi3SetDebugLogging;
fmi3_instantiate_model_exchange_function fmi3InstantiateModelExchange;
fmi3_instantiate_co_simulation_function fmi3InstantiateCoSimulation;
fmi3_free_instance_function fmi3FreeInstance;
fmi3_enter_initialization_mode_function fmi3EnterInitializationMode;
fmi3_exit_initialization_mode_function fmi3ExitInitializationMode;
fmi3_enter_event_mode_function fmi3EnterEventMode;
fmi3_terminate_function fmi3Terminate;
fmi3_reset_function fmi3Reset;
fmi3_get_fmu_state_function fmi3GetFMUState;
fmi3_set_fmu_state_function fmi3SetFMUState;
fmi3_free_fmu_state_function fmi3FreeFMUState;
fmi3_serialized_fmu_state_size_function fmi3SerializedFMUStateSize;
fmi3_serialize_fmu_state_function fmi3SerializeFMUState;
fmi3_deserialize_fmu_state_function fmi3DeserializeFMUState;
fmi3_get_directional_derivative_function fmi3GetDirectionalDerivative;
fmi3_enter_configuration_mode_function fmi3EnterConfigurationMode;
fmi3_exit_configuration_mode_function fmi3ExitConfigurationMode;
fmi3_update_discrete_states_function fmi3UpdateDiscreteStates;
fmi3_enter_continuous_time_mode_function fmi3EnterContinuousTimeMode;
fmi3_completed_integrator_step_function fmi3CompletedIntegratorStep;
fmi3_set_time_function fmi3SetTime;
fmi3_set_continuous_states_function fmi3SetContinuousStates;
fmi3_get_continuous_state_derivatives_function fmi3GetContinuousStateDerivatives;
fmi3_get_event_indicators_function fmi3GetEventIndicators;
fmi3_get_continuous_states_function fmi3GetContinuousStates;
fmi3_get_nominals_of_continuous_states_function fmi3GetNominalsOfContinuousStates;
fmi3_get_number_of_event_indicators_function fmi3GetNumberOfEventIndicators;
fmi3_get_number_of_continuous_states_function fmi3GetNumberOfContinuousStates;
fmi3_enter_step_mode_function fmi3EnterStepMode;
fmi3_get_output_derivatives_function fmi3GetOutputDerivatives;
fmi3_do_step_function fmi3DoStep;
fmi3_get_float32_function fmi3GetFloat32;
fmi3_get_float64_function fmi3GetFloat64;
fmi3_get_int8_function fmi3GetInt8;
fmi3_get_uint8_function fmi3GetUInt8;
fmi3_get_int16_function fmi3GetInt16;
fmi3_get_uint16_function fmi3GetUInt16;
fmi3_get_int32_function fmi3GetInt32;
fmi3_get_uint32_function fmi3GetUInt32;
fmi3_get_int64_function fmi3GetInt64;
fmi3_get_uint64_function fmi3GetUInt64;
fmi3_get_boolean_function fmi3GetBoolean;
fmi3_get_string_function fmi3GetString;
fmi3_set_float32_function fmi3SetFloat32;
fmi3_set_float64_function fmi3SetFloat64;
fmi3_set_int8_function fmi3SetInt8;
fmi3_set_uint8_function fmi3SetUInt8;
fmi3_set_int16_function fmi3SetInt16;
fmi3_set_uint16_function fmi3SetUInt16;
fmi3_set_int32_function fmi3SetInt32;
fmi3_set_uint32_function fmi3SetUInt32;
fmi3_set_int64_function fmi3SetInt64;
fmi3_set_uint64_function fmi3SetUInt64;
fmi3_set_boolean_function fmi3SetBoolean;
fmi3_set_string_function fmi3SetString;

// What this FMU does not have: binary variables, clocks, adjoint derivatives, dependencies of
// arrays, scheduled execution.
fmi3_status fmi3GetBinary(fmi3_instance, const fmi3_value_reference[], std::size_t, std::size_t[],
                          const fmi3_byte*[], std::size_t);
fmi3_status fmi3SetBinary(fmi3_instance, const fmi3_value_reference[], std::size_t,
                          const std::size_t[], const fmi3_byte* const[], std::size_t);
fmi3_status fmi3GetClock(fmi3_instance, const fmi3_value_reference[], std::size_t, bool[]);
fmi3_status fmi3SetClock(fmi3_instance, const fmi3_value_reference[], std::size_t, const bool[]);
fmi3_status fmi3GetNumberOfVariableDependencies(fmi3_instance, fmi3_value_reference, std::size_t*);
fmi3_status fmi3GetVariableDependencies(fmi3_instance, fmi3_value_reference, std::size_t[],
                                        fmi3_value_reference[], std::size_t[],
                                        fmi3_dependency_kind[], std::size_t);
fmi3_status fmi3GetAdjointDerivative(fmi3_instance, const fmi3_value_reference[], std::size_t,
                                     const fmi3_value_reference[], std::size_t,
                                     const fmi3_float64[], std::size_t, fmi3_float64[],
                                     std::size_t);
fmi3_status fmi3GetIntervalDecimal(fmi3_instance, const fmi3_value_reference[], std::size_t,
                                   fmi3_float64[], int[]);
fmi3_status fmi3GetIntervalFraction(fmi3_instance, const fmi3_value_reference[], std::size_t,
                                    fmi3_uint64[], fmi3_uint64[], int[]);
fmi3_status fmi3GetShiftDecimal(fmi3_instance, const fmi3_value_reference[], std::size_t,
                                fmi3_float64[]);
fmi3_status fmi3GetShiftFraction(fmi3_instance, const fmi3_value_reference[], std::size_t,
                                 fmi3_uint64[], fmi3_uint64[]);
fmi3_status fmi3SetIntervalDecimal(fmi3_instance, const fmi3_value_reference[], std::size_t,
                                   const fmi3_float64[]);
fmi3_status fmi3SetIntervalFraction(fmi3_instance, const fmi3_value_reference[], std::size_t,
                                    const fmi3_uint64[], const fmi3_uint64[]);
fmi3_status fmi3SetShiftDecimal(fmi3_instance, const fmi3_value_reference[], std::size_t,
                                const fmi3_float64[]);
fmi3_status fmi3SetShiftFraction(fmi3_instance, const fmi3_value_reference[], std::size_t,
                                 const fmi3_uint64[], const fmi3_uint64[]);
fmi3_status fmi3EvaluateDiscreteStates(fmi3_instance);
fmi3_instance fmi3InstantiateScheduledExecution(
    fmi3_string instance, fmi3_string instantiation_token, fmi3_string resource_path, bool visible,
    bool logging_on, fmi3_instance_environment, fmi3_log_message_callback,
    void (*clock_update)(fmi3_instance_environment), void (*lock_preemption)(),
    void (*unlock_preemption)());
fmi3_status fmi3ActivateModelPartition(fmi3_instance, fmi3_value_reference, fmi3_float64);
#pragma GCC visibility pop
}
