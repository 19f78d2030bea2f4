#include "models/fmi/instance/fmi3_functions.hpp"

namespace macrostep::models::fmi {

Fmi3Functions load_fmi3_functions(const SharedLibrary& library, const Interface& interface,
                                  InterfaceKind kind) {
  Fmi3Functions f{};
  const auto access = [&](auto& pair, const char* get, const char* set) {
    library.load(pair.get, get);
    library.load(pair.set, set);
    pair.get_name = get;
    pair.set_name = set;
  };
  library.load(f.free_instance, "fmi3FreeInstance");
  library.load_if_there(f.set_debug_logging, "fmi3SetDebugLogging");
  library.load(f.enter_initialization, "fmi3EnterInitializationMode");
  library.load(f.exit_initialization, "fmi3ExitInitializationMode");
  access(f.float32, "fmi3GetFloat32", "fmi3SetFloat32");
  access(f.float64, "fmi3GetFloat64", "fmi3SetFloat64");
  access(f.int8, "fmi3GetInt8", "fmi3SetInt8");
  access(f.uint8, "fmi3GetUInt8", "fmi3SetUInt8");
  access(f.int16, "fmi3GetInt16", "fmi3SetInt16");
  access(f.uint16, "fmi3GetUInt16", "fmi3SetUInt16");
  access(f.int32, "fmi3GetInt32", "fmi3SetInt32");
  access(f.uint32, "fmi3GetUInt32", "fmi3SetUInt32");
  access(f.int64, "fmi3GetInt64", "fmi3SetInt64");
  access(f.uint64, "fmi3GetUInt64", "fmi3SetUInt64");
  access(f.boolean, "fmi3GetBoolean", "fmi3SetBoolean");
  library.load(f.set_string, "fmi3SetString");
  if (interface.can_get_and_set_state) {
    library.load(f.get_state, "fmi3GetFMUState");
    library.load(f.set_state, "fmi3SetFMUState");
    library.load(f.free_state, "fmi3FreeFMUState");
  }
  if (interface.provides_directional_derivatives) {
    library.load(f.directional_derivative, "fmi3GetDirectionalDerivative");
  }
  if (kind == InterfaceKind::co_simulation) {
    library.load(f.instantiate_co_simulation, "fmi3InstantiateCoSimulation");
    library.load(f.do_step, "fmi3DoStep");
    if (interface.has_event_mode) {
      library.load(f.enter_event_mode, "fmi3EnterEventMode");
      library.load(f.update_discrete_states, "fmi3UpdateDiscreteStates");
      library.load(f.enter_step_mode, "fmi3EnterStepMode");
    }
    return f;
  }
  library.load(f.instantiate_model_exchange, "fmi3InstantiateModelExchange");
  library.load(f.enter_event_mode, "fmi3EnterEventMode");
  library.load(f.update_discrete_states, "fmi3UpdateDiscreteStates");
  library.load(f.enter_continuous_time, "fmi3EnterContinuousTimeMode");
  library.load(f.completed_step, "fmi3CompletedIntegratorStep");
  library.load(f.set_time, "fmi3SetTime");
  library.load(f.set_states, "fmi3SetContinuousStates");
  library.load(f.get_states, "fmi3GetContinuousStates");
  library.load(f.get_nominals, "fmi3GetNominalsOfContinuousStates");
  library.load(f.get_derivatives, "fmi3GetContinuousStateDerivatives");
  library.load(f.get_event_indicators, "fmi3GetEventIndicators");
  return f;
}

}  // namespace macrostep::models::fmi
