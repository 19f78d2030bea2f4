// FMI 3.0, what both interfaces have: life, states, derivatives.
#include "engine/fmu_export/library/fmi3.hpp"

using namespace macrostep::engine;
using namespace macrostep::engine::library;

namespace {

FmuState& state_of(fmi3_fmu_state handle) {
  check_argument(handle != nullptr, "that is a state");
  return *static_cast<FmuState*>(handle);
}

std::unique_ptr<Fmi3Component> component(fmi3_string instance, fmi3_boolean logging_on,
                                         fmi3_instance_environment environment,
                                         fmi3_log_message_callback log_message) {
  auto made = std::make_unique<Fmi3Component>();
  made->name = instance ? instance : "";
  made->log.on = logging_on;
  made->environment = environment;
  made->log_message = log_message;
  return made;
}

/// Fills the component by `prepare`, or says why there is none.
template <class Prepare>
fmi3_instance instantiate(const char* function, std::unique_ptr<Fmi3Component> made,
                          fmi3_string token, fmi3_string resource_path, FmuMode mode,
                          const Prepare& prepare) {
  try {
    check_argument(resource_path != nullptr, "that tells where the resources are");
    made->instance = make_instance(token, folder_of(resource_path), mode);
    prepare(*made);
    return made.release();
  } catch (const std::exception& error) {
    made->log.on = true;  // there is nothing but this message
    log_message(*made, false, std::string(function) + ": " + error.what());
    return nullptr;
  }
}

/// Those of the variables that are coupling inputs: only inputs are asked for within a step.
std::vector<fmi3_value_reference> inputs_among(const FmuInstance& instance,
                                               const fmi3_value_reference* references,
                                               std::size_t count) {
  std::vector<fmi3_value_reference> inputs;
  for (std::size_t i = 0; references && i < count; ++i) {
    const auto place = instance.variables().find(references[i]);
    if (!place || place->kind != VariableKind::input) {
      throw CallRefused("within a step the variable with the value reference " +
                        std::to_string(references[i]) + " is not available");
    }
    inputs.push_back(references[i]);
  }
  return inputs;
}

}  // namespace

const char* fmi3GetVersion() {
  return "3.0";
}

fmi3_instance fmi3InstantiateModelExchange(fmi3_string instance, fmi3_string token,
                                           fmi3_string resource_path, fmi3_boolean,
                                           fmi3_boolean logging_on,
                                           fmi3_instance_environment environment,
                                           fmi3_log_message_callback log_message) {
  try {
    return instantiate("fmi3InstantiateModelExchange",
                       component(instance, logging_on, environment, log_message), token,
                       resource_path, model_exchange, [](Fmi3Component&) {});
  } catch (...) {
    return nullptr;
  }
}

fmi3_instance fmi3InstantiateCoSimulation(fmi3_string instance, fmi3_string token,
                                          fmi3_string resource_path, fmi3_boolean,
                                          fmi3_boolean logging_on, fmi3_boolean event_mode_used,
                                          fmi3_boolean, const fmi3_value_reference required[],
                                          std::size_t required_count,
                                          fmi3_instance_environment environment,
                                          fmi3_log_message_callback log_message,
                                          fmi3_intermediate_update_callback intermediate_update) {
  try {
    return instantiate(
        "fmi3InstantiateCoSimulation", component(instance, logging_on, environment, log_message),
        token, resource_path, co_simulation, [&](Fmi3Component& made) {
          if (event_mode_used) {
            throw CallRefused("co-simulation has no event mode");
          }
          made.intermediate_update = intermediate_update;
          made.required_inputs = inputs_among(*made.instance, required, required_count);
        });
  } catch (...) {
    return nullptr;
  }
}

fmi3_instance fmi3InstantiateScheduledExecution(fmi3_string instance, fmi3_string, fmi3_string,
                                                bool, bool, fmi3_instance_environment environment,
                                                fmi3_log_message_callback log,
                                                void (*)(fmi3_instance_environment), void (*)(),
                                                void (*)()) {
  try {
    log_message(*component(instance, true, environment, log), false,
                "fmi3InstantiateScheduledExecution: there is no scheduled execution");
  } catch (...) {  // without memory there is no message
  }
  return nullptr;
}

void fmi3FreeInstance(fmi3_instance handle) {
  delete static_cast<Fmi3Component*>(handle);
}

fmi3_status fmi3SetDebugLogging(fmi3_instance handle, fmi3_boolean on, std::size_t category_count,
                                const fmi3_string categories[]) {
  return call(handle, {"fmi3SetDebugLogging", any_phase}, [&](FmuInstance&) {
    check_argument(category_count == 0 || categories, "of categories");
    component_of(handle).log.set(on, {categories, category_count});
  });
}

fmi3_status fmi3EnterInitializationMode(fmi3_instance handle, fmi3_boolean, fmi3_float64,
                                        fmi3_float64 start_time, fmi3_boolean stop_time_defined,
                                        fmi3_float64 stop_time) {
  return call(handle, {"fmi3EnterInitializationMode", instantiated}, [&](FmuInstance& instance) {
    instance.enter_initialisation(start_time,
                                  stop_time_defined ? std::optional(stop_time) : std::nullopt);
  });
}

fmi3_status fmi3ExitInitializationMode(fmi3_instance handle) {
  return call(handle, {"fmi3ExitInitializationMode", initialisation},
              [](FmuInstance& instance) { instance.exit_initialisation(); });
}

fmi3_status fmi3Terminate(fmi3_instance handle) {
  return call(handle, {"fmi3Terminate", initialised},
              [](FmuInstance& instance) { instance.set_phase(terminated); });
}

fmi3_status fmi3Reset(fmi3_instance handle) {
  return call(handle, {"fmi3Reset", any_phase}, [](FmuInstance& instance) { instance.reset(); });
}

fmi3_status fmi3EnterConfigurationMode(fmi3_instance handle) {
  return call(handle, {"fmi3EnterConfigurationMode", any_phase},
              [](FmuInstance&) { throw CallRefused("there are no structural parameters"); });
}

fmi3_status fmi3ExitConfigurationMode(fmi3_instance handle) {
  return call(handle, {"fmi3ExitConfigurationMode", 0}, [](FmuInstance&) {});
}

fmi3_status fmi3GetFMUState(fmi3_instance handle, fmi3_fmu_state* state) {
  return call(handle, {"fmi3GetFMUState", any_phase}, [&](FmuInstance& instance) {
    check_argument(state != nullptr, "for a state");
    auto made = *state ? nullptr : std::make_unique<FmuState>();
    instance.save(made ? *made : state_of(*state));
    *state = made ? made.release() : *state;
  });
}

fmi3_status fmi3SetFMUState(fmi3_instance handle, fmi3_fmu_state state) {
  return call(handle, {"fmi3SetFMUState", any_phase},
              [&](FmuInstance& instance) { instance.restore(state_of(state)); });
}

fmi3_status fmi3FreeFMUState(fmi3_instance handle, fmi3_fmu_state* state) {
  return call(handle, {"fmi3FreeFMUState", any_phase}, [&](FmuInstance&) {
    if (state) {
      delete static_cast<FmuState*>(*state);
      *state = nullptr;
    }
  });
}

fmi3_status fmi3SerializedFMUStateSize(fmi3_instance handle, fmi3_fmu_state state,
                                       std::size_t* size) {
  return call(handle, {"fmi3SerializedFMUStateSize", any_phase}, [&](FmuInstance&) {
    check_argument(size != nullptr, "for a size");
    *size = size_of_bytes(state_of(state));
  });
}

fmi3_status fmi3SerializeFMUState(fmi3_instance handle, fmi3_fmu_state state, fmi3_byte bytes[],
                                  std::size_t size) {
  return call(handle, {"fmi3SerializeFMUState", any_phase}, [&](FmuInstance& instance) {
    check_argument(bytes != nullptr, "of bytes");
    write_bytes(instance, state_of(state), {reinterpret_cast<char*>(bytes), size});
  });
}

fmi3_status fmi3DeserializeFMUState(fmi3_instance handle, const fmi3_byte bytes[], std::size_t size,
                                    fmi3_fmu_state* state) {
  return call(handle, {"fmi3DeserializeFMUState", any_phase}, [&](FmuInstance& instance) {
    check_argument(bytes && state, "of bytes or for a state");
    const std::span given(reinterpret_cast<const char*>(bytes), size);
    auto made = std::make_unique<FmuState>(state_from_bytes(instance, given));
    delete static_cast<FmuState*>(*state);
    *state = made.release();
  });
}

fmi3_status fmi3GetDirectionalDerivative(fmi3_instance handle, const fmi3_value_reference unknown[],
                                         std::size_t unknown_count,
                                         const fmi3_value_reference known[],
                                         std::size_t known_count, const fmi3_float64 seed[],
                                         std::size_t seed_count, fmi3_float64 sensitivity[],
                                         std::size_t sensitivity_count) {
  return call(handle, {"fmi3GetDirectionalDerivative", any_phase & ~instantiated},
              [&](FmuInstance& instance) {
                check_argument(unknown_count == 0 || (unknown && sensitivity), "of unknowns");
                check_argument(known_count == 0 || (known && seed), "of knowns");
                if (seed_count != known_count || sensitivity_count != unknown_count) {
                  throw CallRefused("all variables are scalars: as many values as references");
                }
                instance.directional_derivative({.unknown = {unknown, unknown_count},
                                                 .known = {known, known_count},
                                                 .seed = {seed, seed_count}},
                                                {sensitivity, sensitivity_count});
              });
}
