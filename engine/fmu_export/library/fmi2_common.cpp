// FMI 2.0, what both interfaces have: life, values, states.
#include "engine/fmu_export/library/fmi2.hpp"

using namespace macrostep::engine;
using namespace macrostep::engine::library;

namespace {

constexpr unsigned has_values = any_phase & ~instantiated;
constexpr unsigned takes_values = any_phase & ~(terminated | failed);

/// All variables are real; to ask for none of another type is right.
fmi2_status no_values(fmi2_component handle, const Demands& demands, std::size_t count) {
  return call(handle, demands, [&](FmuInstance&) {
    if (count > 0) {
      throw CallRefused("all variables are real");
    }
  });
}

FmuState& state_of(fmi2_fmu_state handle) {
  check_argument(handle != nullptr, "that is a state");
  return *static_cast<FmuState*>(handle);
}

}  // namespace

const char* fmi2GetTypesPlatform() {
  return "default";
}

const char* fmi2GetVersion() {
  return "2.0";
}

fmi2_component fmi2Instantiate(fmi2_string instance, fmi2_type type, fmi2_string guid,
                               fmi2_string resource_location, const fmi2_callbacks* callbacks,
                               fmi2_boolean, fmi2_boolean logging_on) {
  try {
    auto component = std::make_unique<Fmi2Component>();
    component->name = instance ? instance : "";
    component->log.on = logging_on != fmi2_false;
    if (callbacks) {
      component->callbacks = *callbacks;
    }
    try {
      component->instance =
          make_instance(guid, folder_of(resource_location),
                        type == fmi2_co_simulation ? co_simulation : model_exchange);
      return component.release();
    } catch (const std::exception& error) {
      log_message(*component, false, std::string("fmi2Instantiate: ") + error.what());
    }
  } catch (...) {  // without memory there is no message
  }
  return nullptr;
}

void fmi2FreeInstance(fmi2_component handle) {
  delete static_cast<Fmi2Component*>(handle);
}

fmi2_status fmi2SetDebugLogging(fmi2_component handle, fmi2_boolean on, std::size_t category_count,
                                const fmi2_string categories[]) {
  return call(handle, {"fmi2SetDebugLogging", any_phase}, [&](FmuInstance&) {
    check_argument(category_count == 0 || categories, "of categories");
    component_of(handle).log.set(on != fmi2_false, {categories, category_count});
  });
}

fmi2_status fmi2SetupExperiment(fmi2_component handle, fmi2_boolean, fmi2_real,
                                fmi2_real start_time, fmi2_boolean stop_time_defined,
                                fmi2_real stop_time) {
  return call(handle, {"fmi2SetupExperiment", instantiated}, [&](FmuInstance&) {
    auto& component = component_of(handle);
    component.start_s = start_time;
    component.stop_s = stop_time_defined ? std::optional(stop_time) : std::nullopt;
  });
}

fmi2_status fmi2EnterInitializationMode(fmi2_component handle) {
  return call(handle, {"fmi2EnterInitializationMode", instantiated}, [&](FmuInstance& instance) {
    const auto& component = component_of(handle);
    instance.enter_initialisation(component.start_s, component.stop_s);
  });
}

fmi2_status fmi2ExitInitializationMode(fmi2_component handle) {
  return call(handle, {"fmi2ExitInitializationMode", initialisation},
              [](FmuInstance& instance) { instance.exit_initialisation(); });
}

fmi2_status fmi2Terminate(fmi2_component handle) {
  return call(handle, {"fmi2Terminate", initialised},
              [](FmuInstance& instance) { instance.set_phase(terminated); });
}

fmi2_status fmi2Reset(fmi2_component handle) {
  return call(handle, {"fmi2Reset", any_phase}, [&](FmuInstance& instance) {
    auto& component = component_of(handle);
    component.start_s = 0;
    component.stop_s.reset();
    instance.reset();
  });
}

fmi2_status fmi2GetReal(fmi2_component handle, const fmi2_value_reference references[],
                        std::size_t count, fmi2_real values[]) {
  return call(handle, {"fmi2GetReal", has_values},
              [&](FmuInstance& instance) { get_values(instance, references, count, values); });
}

fmi2_status fmi2SetReal(fmi2_component handle, const fmi2_value_reference references[],
                        std::size_t count, const fmi2_real values[]) {
  return call(handle, {"fmi2SetReal", takes_values},
              [&](FmuInstance& instance) { set_values(instance, references, count, values); });
}

fmi2_status fmi2GetInteger(fmi2_component handle, const fmi2_value_reference[], std::size_t count,
                           fmi2_integer[]) {
  return no_values(handle, {"fmi2GetInteger", has_values}, count);
}

fmi2_status fmi2GetBoolean(fmi2_component handle, const fmi2_value_reference[], std::size_t count,
                           fmi2_boolean[]) {
  return no_values(handle, {"fmi2GetBoolean", has_values}, count);
}

fmi2_status fmi2GetString(fmi2_component handle, const fmi2_value_reference[], std::size_t count,
                          fmi2_string[]) {
  return no_values(handle, {"fmi2GetString", has_values}, count);
}

fmi2_status fmi2SetInteger(fmi2_component handle, const fmi2_value_reference[], std::size_t count,
                           const fmi2_integer[]) {
  return no_values(handle, {"fmi2SetInteger", takes_values}, count);
}

fmi2_status fmi2SetBoolean(fmi2_component handle, const fmi2_value_reference[], std::size_t count,
                           const fmi2_boolean[]) {
  return no_values(handle, {"fmi2SetBoolean", takes_values}, count);
}

fmi2_status fmi2SetString(fmi2_component handle, const fmi2_value_reference[], std::size_t count,
                          const fmi2_string[]) {
  return no_values(handle, {"fmi2SetString", takes_values}, count);
}

fmi2_status fmi2GetFMUstate(fmi2_component handle, fmi2_fmu_state* state) {
  return call(handle, {"fmi2GetFMUstate", any_phase}, [&](FmuInstance& instance) {
    check_argument(state != nullptr, "for a state");
    auto made = *state ? nullptr : std::make_unique<FmuState>();
    instance.save(made ? *made : state_of(*state));
    *state = made ? made.release() : *state;
  });
}

fmi2_status fmi2SetFMUstate(fmi2_component handle, fmi2_fmu_state state) {
  return call(handle, {"fmi2SetFMUstate", any_phase},
              [&](FmuInstance& instance) { instance.restore(state_of(state)); });
}

fmi2_status fmi2FreeFMUstate(fmi2_component handle, fmi2_fmu_state* state) {
  return call(handle, {"fmi2FreeFMUstate", any_phase}, [&](FmuInstance&) {
    if (state) {
      delete static_cast<FmuState*>(*state);
      *state = nullptr;
    }
  });
}

fmi2_status fmi2SerializedFMUstateSize(fmi2_component handle, fmi2_fmu_state state,
                                       std::size_t* size) {
  return call(handle, {"fmi2SerializedFMUstateSize", any_phase}, [&](FmuInstance&) {
    check_argument(size != nullptr, "for a size");
    *size = size_of_bytes(state_of(state));
  });
}

fmi2_status fmi2SerializeFMUstate(fmi2_component handle, fmi2_fmu_state state, fmi2_byte bytes[],
                                  std::size_t size) {
  return call(handle, {"fmi2SerializeFMUstate", any_phase}, [&](FmuInstance& instance) {
    check_argument(bytes != nullptr, "of bytes");
    write_bytes(instance, state_of(state), {bytes, size});
  });
}

fmi2_status fmi2DeSerializeFMUstate(fmi2_component handle, const fmi2_byte bytes[],
                                    std::size_t size, fmi2_fmu_state* state) {
  return call(handle, {"fmi2DeSerializeFMUstate", any_phase}, [&](FmuInstance& instance) {
    check_argument(bytes && state, "of bytes or for a state");
    auto made = std::make_unique<FmuState>(state_from_bytes(instance, {bytes, size}));
    delete static_cast<FmuState*>(*state);
    *state = made.release();
  });
}

fmi2_status fmi2GetDirectionalDerivative(fmi2_component handle,
                                         const fmi2_value_reference unknown[],
                                         std::size_t unknown_count,
                                         const fmi2_value_reference known[],
                                         std::size_t known_count, const fmi2_real seed[],
                                         fmi2_real sensitivity[]) {
  return call(handle, {"fmi2GetDirectionalDerivative", has_values}, [&](FmuInstance& instance) {
    check_argument(unknown_count == 0 || (unknown && sensitivity), "of unknowns");
    check_argument(known_count == 0 || (known && seed), "of knowns");
    instance.directional_derivative({.unknown = {unknown, unknown_count},
                                     .known = {known, known_count},
                                     .seed = {seed, known_count}},
                                    {sensitivity, unknown_count});
  });
}
