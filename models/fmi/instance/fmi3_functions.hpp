// The functions of an FMI 3.0 library that one interface needs; those that an FMU need not have may
// be null.
#pragma once

#include <cstdint>

#include "models/fmi/description/model_description.hpp"
#include "models/fmi/instance/fmi3.h"
#include "models/fmi/instance/instance.hpp"
#include "models/fmi/instance/shared_library.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::models::fmi {

/// Getter and setter of one type; all have the same shape.
template <class T>
struct Fmi3Access {
  fmi3_status (*get)(fmi3_instance, const fmi3_value_reference[], size_t, T[], size_t);
  fmi3_status (*set)(fmi3_instance, const fmi3_value_reference[], size_t, const T[], size_t);
  const char* get_name;
  const char* set_name;
};

struct Fmi3Functions {
  fmi3_instantiate_co_simulation_function* instantiate_co_simulation;
  fmi3_instantiate_model_exchange_function* instantiate_model_exchange;
  fmi3_free_instance_function* free_instance;
  fmi3_set_debug_logging_function* set_debug_logging;
  fmi3_enter_initialization_mode_function* enter_initialization;
  fmi3_exit_initialization_mode_function* exit_initialization;
  Fmi3Access<float> float32;
  Fmi3Access<double> float64;
  Fmi3Access<std::int8_t> int8;
  Fmi3Access<std::uint8_t> uint8;
  Fmi3Access<std::int16_t> int16;
  Fmi3Access<std::uint16_t> uint16;
  Fmi3Access<std::int32_t> int32;
  Fmi3Access<std::uint32_t> uint32;
  Fmi3Access<std::int64_t> int64;
  Fmi3Access<std::uint64_t> uint64;
  Fmi3Access<bool> boolean;
  fmi3_set_string_function* set_string;
  fmi3_get_fmu_state_function* get_state;
  fmi3_set_fmu_state_function* set_state;
  fmi3_free_fmu_state_function* free_state;
  fmi3_get_directional_derivative_function* directional_derivative;
  fmi3_do_step_function* do_step;
  fmi3_enter_event_mode_function* enter_event_mode;
  fmi3_update_discrete_states_function* update_discrete_states;
  fmi3_enter_step_mode_function* enter_step_mode;
  fmi3_enter_continuous_time_mode_function* enter_continuous_time;
  fmi3_completed_integrator_step_function* completed_step;
  fmi3_set_time_function* set_time;
  fmi3_set_continuous_states_function* set_states;
  fmi3_get_continuous_states_function* get_states;
  fmi3_get_nominals_of_continuous_states_function* get_nominals;
  fmi3_get_continuous_state_derivatives_function* get_derivatives;
  fmi3_get_event_indicators_function* get_event_indicators;

  /// visit(access) for a type of numbers or booleans; an enumeration is an int64.
  template <class Visit>
  void visit(VariableType type, Visit visit) const;
};

/// Throws FmuRefused naming a function that is missing.
Fmi3Functions load_fmi3_functions(const SharedLibrary& library, const Interface& interface,
                                  InterfaceKind kind);

template <class Visit>
void Fmi3Functions::visit(VariableType type, Visit visit) const {
  switch (type) {
    case VariableType::float32:
      return visit(float32);
    case VariableType::float64:
      return visit(float64);
    case VariableType::int8:
      return visit(int8);
    case VariableType::uint8:
      return visit(uint8);
    case VariableType::int16:
      return visit(int16);
    case VariableType::uint16:
      return visit(uint16);
    case VariableType::int32:
      return visit(int32);
    case VariableType::uint32:
      return visit(uint32);
    case VariableType::int64:
    case VariableType::enumeration:
      return visit(int64);
    case VariableType::uint64:
      return visit(uint64);
    case VariableType::boolean:
      return visit(boolean);
    case VariableType::string:
    case VariableType::binary:
    case VariableType::clock:
      break;
  }
  ensure(false, "lists of numbers hold numbers");
}

}  // namespace macrostep::models::fmi
