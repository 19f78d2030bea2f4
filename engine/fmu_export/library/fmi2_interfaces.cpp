// FMI 2.0, what only model exchange or only co-simulation has.
#include "engine/fmu_export/library/fmi2.hpp"

using namespace macrostep::engine;
using namespace macrostep::engine::library;

namespace {

constexpr unsigned has_equations =
    initialisation | event_mode | continuous_time | terminated | failed;
constexpr unsigned has_stepped = step_mode | terminated | failed;

fmi2_status no_status(fmi2_component handle, const char* function) {
  return call(handle, {function, has_stepped, &co_simulation},
              [](FmuInstance&) { throw CallRefused("no step is pending", /*is_discard=*/true); });
}

}  // namespace

// --- model exchange ------------------------------------------------------------------------------

fmi2_status fmi2EnterEventMode(fmi2_component handle) {
  return call(handle, {"fmi2EnterEventMode", event_mode | continuous_time, &model_exchange},
              [](FmuInstance& instance) { instance.set_phase(event_mode); });
}

fmi2_status fmi2NewDiscreteStates(fmi2_component handle, fmi2_event_info* info) {
  return call(handle, {"fmi2NewDiscreteStates", event_mode, &model_exchange}, [&](FmuInstance&) {
    check_argument(info != nullptr, "for the event information");
    *info = {};
  });
}

fmi2_status fmi2EnterContinuousTimeMode(fmi2_component handle) {
  return call(handle, {"fmi2EnterContinuousTimeMode", event_mode, &model_exchange},
              [](FmuInstance& instance) { instance.set_phase(continuous_time); });
}

fmi2_status fmi2CompletedIntegratorStep(fmi2_component handle, fmi2_boolean,
                                        fmi2_boolean* enter_event_mode, fmi2_boolean* terminate) {
  return call(handle, {"fmi2CompletedIntegratorStep", continuous_time, &model_exchange},
              [&](FmuInstance&) {
                check_argument(enter_event_mode && terminate, "for what comes next");
                *enter_event_mode = fmi2_false;
                *terminate = fmi2_false;
              });
}

fmi2_status fmi2SetTime(fmi2_component handle, fmi2_real time_s) {
  return call(handle, {"fmi2SetTime", event_mode | continuous_time, &model_exchange},
              [&](FmuInstance& instance) { instance.set_time(time_s); });
}

fmi2_status fmi2SetContinuousStates(fmi2_component handle, const fmi2_real x[], std::size_t count) {
  return call(handle, {"fmi2SetContinuousStates", continuous_time, &model_exchange},
              [&](FmuInstance& instance) {
                check_states(instance, x, count);
                instance.set_states({x, count});
              });
}

fmi2_status fmi2GetDerivatives(fmi2_component handle, fmi2_real rate[], std::size_t count) {
  return call(handle, {"fmi2GetDerivatives", has_equations, &model_exchange},
              [&](FmuInstance& instance) {
                check_states(instance, rate, count);
                instance.read_derivatives({rate, count});
              });
}

fmi2_status fmi2GetEventIndicators(fmi2_component handle, fmi2_real[], std::size_t count) {
  return call(handle, {"fmi2GetEventIndicators", has_equations, &model_exchange},
              [&](FmuInstance&) {
                if (count > 0) {
                  throw CallRefused("there are no event indicators");
                }
              });
}

fmi2_status fmi2GetContinuousStates(fmi2_component handle, fmi2_real x[], std::size_t count) {
  return call(handle, {"fmi2GetContinuousStates", has_equations, &model_exchange},
              [&](FmuInstance& instance) {
                check_states(instance, x, count);
                instance.read_states({x, count});
              });
}

fmi2_status fmi2GetNominalsOfContinuousStates(fmi2_component handle, fmi2_real nominal[],
                                              std::size_t count) {
  return call(handle,
              {"fmi2GetNominalsOfContinuousStates", has_equations | instantiated, &model_exchange},
              [&](FmuInstance& instance) {
                check_states(instance, nominal, count);
                instance.read_nominals({nominal, count});
              });
}

// --- co-simulation -------------------------------------------------------------------------------

fmi2_status fmi2SetRealInputDerivatives(fmi2_component handle,
                                        const fmi2_value_reference references[], std::size_t count,
                                        const fmi2_integer order[], const fmi2_real values[]) {
  return call(
      handle,
      {"fmi2SetRealInputDerivatives", instantiated | initialisation | step_mode, &co_simulation},
      [&](FmuInstance& instance) {
        check_argument(count == 0 || (references && order && values), "of derivatives");
        for (std::size_t i = 0; i < count; ++i) {
          instance.set_input_derivative(references[i], order[i], values[i]);
        }
      });
}

fmi2_status fmi2GetRealOutputDerivatives(fmi2_component handle,
                                         const fmi2_value_reference references[], std::size_t count,
                                         const fmi2_integer order[], fmi2_real values[]) {
  return call(handle, {"fmi2GetRealOutputDerivatives", has_stepped, &co_simulation},
              [&](FmuInstance& instance) {
                check_argument(count == 0 || (references && order && values), "of derivatives");
                for (std::size_t i = 0; i < count; ++i) {
                  values[i] = instance.output_derivative(references[i], order[i]);
                }
              });
}

fmi2_status fmi2DoStep(fmi2_component handle, fmi2_real communication_point, fmi2_real step_size,
                       fmi2_boolean) {
  return call(handle, {"fmi2DoStep", step_mode, &co_simulation},
              [&](FmuInstance& instance) { instance.do_step(communication_point, step_size, {}); });
}

fmi2_status fmi2CancelStep(fmi2_component handle) {
  return call(handle, {"fmi2CancelStep", 0, &co_simulation}, [](FmuInstance&) {});
}

fmi2_status fmi2GetStatus(fmi2_component handle, fmi2_status_kind, fmi2_status*) {
  return no_status(handle, "fmi2GetStatus");
}

fmi2_status fmi2GetRealStatus(fmi2_component handle, fmi2_status_kind kind, fmi2_real* value) {
  return call(handle, {"fmi2GetRealStatus", has_stepped, &co_simulation},
              [&](FmuInstance& instance) {
                check_argument(value != nullptr, "for a value");
                if (kind != fmi2_last_successful_time) {
                  throw CallRefused("no such status", /*is_discard=*/true);
                }
                *value = instance.time_s();
              });
}

fmi2_status fmi2GetIntegerStatus(fmi2_component handle, fmi2_status_kind, fmi2_integer*) {
  return no_status(handle, "fmi2GetIntegerStatus");
}

fmi2_status fmi2GetBooleanStatus(fmi2_component handle, fmi2_status_kind kind,
                                 fmi2_boolean* value) {
  return call(handle, {"fmi2GetBooleanStatus", has_stepped, &co_simulation}, [&](FmuInstance&) {
    check_argument(value != nullptr, "for a value");
    if (kind != fmi2_terminated) {
      throw CallRefused("no such status", /*is_discard=*/true);
    }
    *value = fmi2_false;
  });
}

fmi2_status fmi2GetStringStatus(fmi2_component handle, fmi2_status_kind, fmi2_string*) {
  return no_status(handle, "fmi2GetStringStatus");
}
