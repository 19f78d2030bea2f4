// FMI 3.0, what only model exchange or only co-simulation has.
#include "engine/fmu_export/library/fmi3.hpp"

using namespace macrostep::engine;
using namespace macrostep::engine::library;

namespace {

constexpr unsigned has_equations =
    initialisation | event_mode | continuous_time | terminated | failed;

/// Asks the importer for the inputs at an instant within a step; what it sets, the instance takes.
void ask_for_inputs(const Fmi3Component& component, double time_s) {
  bool early_return_requested = false;
  double early_return_time = 0;
  component.intermediate_update(component.environment, time_s, /*set_requested=*/true,
                                /*get_allowed=*/false, /*step_finished=*/false,
                                /*can_return_early=*/false, &early_return_requested,
                                &early_return_time);
  if (component.instance->phase() == failed) {
    throw CallRefused("a call within the step was refused");
  }
}

}  // namespace

// --- model exchange ------------------------------------------------------------------------------

fmi3_status fmi3EnterEventMode(fmi3_instance handle) {
  return call(handle, {"fmi3EnterEventMode", continuous_time, &model_exchange},
              [](FmuInstance& instance) { instance.set_phase(event_mode); });
}

fmi3_status fmi3EvaluateDiscreteStates(fmi3_instance handle) {
  return call(handle, {"fmi3EvaluateDiscreteStates", event_mode, &model_exchange},
              [](FmuInstance&) {});
}

fmi3_status fmi3UpdateDiscreteStates(fmi3_instance handle, fmi3_boolean* need_update,
                                     fmi3_boolean* terminate, fmi3_boolean* nominals_changed,
                                     fmi3_boolean* values_changed, fmi3_boolean* next_event_defined,
                                     fmi3_float64* next_event_time) {
  return call(handle, {"fmi3UpdateDiscreteStates", event_mode, &model_exchange}, [&](FmuInstance&) {
    for (auto* flag :
         {need_update, terminate, nominals_changed, values_changed, next_event_defined}) {
      check_argument(flag != nullptr, "for the event information");
      *flag = false;
    }
    if (next_event_time) {
      *next_event_time = 0;
    }
  });
}

fmi3_status fmi3EnterContinuousTimeMode(fmi3_instance handle) {
  return call(handle, {"fmi3EnterContinuousTimeMode", event_mode, &model_exchange},
              [](FmuInstance& instance) { instance.set_phase(continuous_time); });
}

fmi3_status fmi3CompletedIntegratorStep(fmi3_instance handle, fmi3_boolean,
                                        fmi3_boolean* enter_event_mode, fmi3_boolean* terminate) {
  return call(handle, {"fmi3CompletedIntegratorStep", continuous_time, &model_exchange},
              [&](FmuInstance&) {
                check_argument(enter_event_mode && terminate, "for what comes next");
                *enter_event_mode = false;
                *terminate = false;
              });
}

fmi3_status fmi3SetTime(fmi3_instance handle, fmi3_float64 time_s) {
  return call(handle, {"fmi3SetTime", event_mode | continuous_time, &model_exchange},
              [&](FmuInstance& instance) { instance.set_time(time_s); });
}

fmi3_status fmi3SetContinuousStates(fmi3_instance handle, const fmi3_float64 x[],
                                    std::size_t count) {
  return call(handle, {"fmi3SetContinuousStates", continuous_time, &model_exchange},
              [&](FmuInstance& instance) {
                check_states(instance, x, count);
                instance.set_states({x, count});
              });
}

fmi3_status fmi3GetContinuousStateDerivatives(fmi3_instance handle, fmi3_float64 rate[],
                                              std::size_t count) {
  return call(handle, {"fmi3GetContinuousStateDerivatives", has_equations, &model_exchange},
              [&](FmuInstance& instance) {
                check_states(instance, rate, count);
                instance.read_derivatives({rate, count});
              });
}

fmi3_status fmi3GetEventIndicators(fmi3_instance handle, fmi3_float64[], std::size_t count) {
  return call(handle, {"fmi3GetEventIndicators", has_equations, &model_exchange},
              [&](FmuInstance&) {
                if (count > 0) {
                  throw CallRefused("there are no event indicators");
                }
              });
}

fmi3_status fmi3GetContinuousStates(fmi3_instance handle, fmi3_float64 x[], std::size_t count) {
  return call(handle, {"fmi3GetContinuousStates", has_equations, &model_exchange},
              [&](FmuInstance& instance) {
                check_states(instance, x, count);
                instance.read_states({x, count});
              });
}

fmi3_status fmi3GetNominalsOfContinuousStates(fmi3_instance handle, fmi3_float64 nominal[],
                                              std::size_t count) {
  return call(handle,
              {"fmi3GetNominalsOfContinuousStates", has_equations | instantiated, &model_exchange},
              [&](FmuInstance& instance) {
                check_states(instance, nominal, count);
                instance.read_nominals({nominal, count});
              });
}

fmi3_status fmi3GetNumberOfContinuousStates(fmi3_instance handle, std::size_t* count) {
  return call(handle, {"fmi3GetNumberOfContinuousStates", any_phase, &model_exchange},
              [&](FmuInstance& instance) {
                check_argument(count != nullptr, "for a number");
                *count = instance.states();
              });
}

fmi3_status fmi3GetNumberOfEventIndicators(fmi3_instance handle, std::size_t* count) {
  return call(handle, {"fmi3GetNumberOfEventIndicators", any_phase, &model_exchange},
              [&](FmuInstance&) {
                check_argument(count != nullptr, "for a number");
                *count = 0;
              });
}

// --- co-simulation -------------------------------------------------------------------------------

fmi3_status fmi3EnterStepMode(fmi3_instance handle) {
  return call(handle, {"fmi3EnterStepMode", event_mode, &co_simulation}, [](FmuInstance&) {});
}

fmi3_status fmi3GetOutputDerivatives(fmi3_instance handle, const fmi3_value_reference references[],
                                     std::size_t count, const fmi3_int32 orders[],
                                     fmi3_float64 values[], std::size_t value_count) {
  return call(handle, {"fmi3GetOutputDerivatives", step_mode | terminated | failed, &co_simulation},
              [&](FmuInstance& instance) {
                check_argument(count == 0 || (references && orders && values), "of derivatives");
                if (value_count != count) {
                  throw CallRefused("all variables are scalars: as many values as references");
                }
                for (std::size_t i = 0; i < count; ++i) {
                  values[i] = instance.output_derivative(references[i], orders[i]);
                }
              });
}

fmi3_status fmi3DoStep(fmi3_instance handle, fmi3_float64 communication_point,
                       fmi3_float64 step_size, fmi3_boolean, fmi3_boolean* event_handling_needed,
                       fmi3_boolean* terminate, fmi3_boolean* early_return,
                       fmi3_float64* last_successful_time) {
  return call(handle, {"fmi3DoStep", step_mode, &co_simulation}, [&](FmuInstance& instance) {
    for (auto* flag : {event_handling_needed, terminate, early_return}) {
      check_argument(flag != nullptr, "for what comes next");
      *flag = false;
    }
    check_argument(last_successful_time != nullptr, "for a time");
    *last_successful_time = instance.time_s();
    const auto& component = component_of(handle);
    InputSampling sample;
    if (component.intermediate_update && !component.required_inputs.empty()) {
      sample = [&component](double time_s) { ask_for_inputs(component, time_s); };
    }
    instance.do_step(communication_point, step_size, sample);
    *last_successful_time = instance.time_s();
  });
}
