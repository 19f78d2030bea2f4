/* The C interface of FMI 3.0 (Functional Mock-up Interface 3.0.2, sections 2.2, 3.2 and 4.2) as far
   as model exchange and co-simulation without clocks need it, declared from the standard's text.
   Plain C: test FMUs include it, too. Scheduled execution and clocks are left out. */
#ifndef MACROSTEP_MODELS_FMI_FMI3_H
#define MACROSTEP_MODELS_FMI_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void* fmi3_instance;
typedef void* fmi3_instance_environment;
typedef void* fmi3_fmu_state;
typedef uint32_t fmi3_value_reference;
typedef float fmi3_float32;
typedef double fmi3_float64;
typedef int8_t fmi3_int8;
typedef uint8_t fmi3_uint8;
typedef int16_t fmi3_int16;
typedef uint16_t fmi3_uint16;
typedef int32_t fmi3_int32;
typedef uint32_t fmi3_uint32;
typedef int64_t fmi3_int64;
typedef uint64_t fmi3_uint64;
typedef bool fmi3_boolean;
typedef char fmi3_char;
typedef const fmi3_char* fmi3_string;
typedef uint8_t fmi3_byte;

typedef enum { fmi3_ok, fmi3_warning, fmi3_discard, fmi3_error, fmi3_fatal } fmi3_status;
typedef enum { fmi3_independent, fmi3_constant, fmi3_fixed, fmi3_tunable, fmi3_discrete,
               fmi3_dependent } fmi3_dependency_kind;

typedef void (*fmi3_log_message_callback)(fmi3_instance_environment, fmi3_status,
                                          fmi3_string category, fmi3_string message);
typedef void (*fmi3_intermediate_update_callback)(
    fmi3_instance_environment, fmi3_float64 intermediate_update_time,
    fmi3_boolean intermediate_variable_set_requested,
    fmi3_boolean intermediate_variable_get_allowed, fmi3_boolean intermediate_step_finished,
    fmi3_boolean can_return_early, fmi3_boolean* early_return_requested,
    fmi3_float64* early_return_time);

/* --- both interfaces ------------------------------------------------------------------------- */
typedef const char* fmi3_get_version_function(void);
typedef fmi3_status fmi3_set_debug_logging_function(fmi3_instance, fmi3_boolean on,
                                                    size_t category_count,
                                                    const fmi3_string categories[]);
typedef fmi3_instance fmi3_instantiate_model_exchange_function(
    fmi3_string instance, fmi3_string instantiation_token, fmi3_string resource_path,
    fmi3_boolean visible, fmi3_boolean logging_on, fmi3_instance_environment,
    fmi3_log_message_callback);
typedef fmi3_instance fmi3_instantiate_co_simulation_function(
    fmi3_string instance, fmi3_string instantiation_token, fmi3_string resource_path,
    fmi3_boolean visible, fmi3_boolean logging_on, fmi3_boolean event_mode_used,
    fmi3_boolean early_return_allowed, const fmi3_value_reference required_intermediate_variables[],
    size_t required_intermediate_variable_count, fmi3_instance_environment,
    fmi3_log_message_callback, fmi3_intermediate_update_callback);
typedef void fmi3_free_instance_function(fmi3_instance);
typedef fmi3_status fmi3_enter_initialization_mode_function(fmi3_instance,
                                                            fmi3_boolean tolerance_defined,
                                                            fmi3_float64 tolerance,
                                                            fmi3_float64 start_time,
                                                            fmi3_boolean stop_time_defined,
                                                            fmi3_float64 stop_time);
typedef fmi3_status fmi3_exit_initialization_mode_function(fmi3_instance);
typedef fmi3_status fmi3_enter_event_mode_function(fmi3_instance);
typedef fmi3_status fmi3_terminate_function(fmi3_instance);
typedef fmi3_status fmi3_reset_function(fmi3_instance);

/* The getters and setters of all numbers have one shape. */
#define MACROSTEP_FMI3_ACCESS(name, type)                                                        \
  typedef fmi3_status fmi3_get_##name##_function(fmi3_instance, const fmi3_value_reference[],     \
                                                 size_t, type[], size_t);                         \
  typedef fmi3_status fmi3_set_##name##_function(fmi3_instance, const fmi3_value_reference[],     \
                                                 size_t, const type[], size_t)
MACROSTEP_FMI3_ACCESS(float32, fmi3_float32);
MACROSTEP_FMI3_ACCESS(float64, fmi3_float64);
MACROSTEP_FMI3_ACCESS(int8, fmi3_int8);
MACROSTEP_FMI3_ACCESS(uint8, fmi3_uint8);
MACROSTEP_FMI3_ACCESS(int16, fmi3_int16);
MACROSTEP_FMI3_ACCESS(uint16, fmi3_uint16);
MACROSTEP_FMI3_ACCESS(int32, fmi3_int32);
MACROSTEP_FMI3_ACCESS(uint32, fmi3_uint32);
MACROSTEP_FMI3_ACCESS(int64, fmi3_int64);
MACROSTEP_FMI3_ACCESS(uint64, fmi3_uint64);
MACROSTEP_FMI3_ACCESS(boolean, fmi3_boolean);
MACROSTEP_FMI3_ACCESS(string, fmi3_string);
#undef MACROSTEP_FMI3_ACCESS

typedef fmi3_status fmi3_get_fmu_state_function(fmi3_instance, fmi3_fmu_state*);
typedef fmi3_status fmi3_set_fmu_state_function(fmi3_instance, fmi3_fmu_state);
typedef fmi3_status fmi3_free_fmu_state_function(fmi3_instance, fmi3_fmu_state*);
typedef fmi3_status fmi3_serialized_fmu_state_size_function(fmi3_instance, fmi3_fmu_state, size_t*);
typedef fmi3_status fmi3_serialize_fmu_state_function(fmi3_instance, fmi3_fmu_state, fmi3_byte[],
                                                      size_t);
typedef fmi3_status fmi3_deserialize_fmu_state_function(fmi3_instance, const fmi3_byte[], size_t,
                                                        fmi3_fmu_state*);
typedef fmi3_status fmi3_get_directional_derivative_function(
    fmi3_instance, const fmi3_value_reference unknowns[], size_t unknown_count,
    const fmi3_value_reference knowns[], size_t known_count, const fmi3_float64 seed[],
    size_t seed_count, fmi3_float64 sensitivity[], size_t sensitivity_count);
typedef fmi3_status fmi3_enter_configuration_mode_function(fmi3_instance);
typedef fmi3_status fmi3_exit_configuration_mode_function(fmi3_instance);
typedef fmi3_status fmi3_update_discrete_states_function(
    fmi3_instance, fmi3_boolean* discrete_states_need_update, fmi3_boolean* terminate_simulation,
    fmi3_boolean* nominals_of_continuous_states_changed,
    fmi3_boolean* values_of_continuous_states_changed, fmi3_boolean* next_event_time_defined,
    fmi3_float64* next_event_time);

/* --- model exchange -------------------------------------------------------------------------- */
typedef fmi3_status fmi3_enter_continuous_time_mode_function(fmi3_instance);
typedef fmi3_status fmi3_completed_integrator_step_function(
    fmi3_instance, fmi3_boolean no_set_fmu_state_prior, fmi3_boolean* enter_event_mode,
    fmi3_boolean* terminate);
typedef fmi3_status fmi3_set_time_function(fmi3_instance, fmi3_float64);
typedef fmi3_status fmi3_set_continuous_states_function(fmi3_instance, const fmi3_float64[],
                                                        size_t);
typedef fmi3_status fmi3_get_continuous_state_derivatives_function(fmi3_instance, fmi3_float64[],
                                                                   size_t);
typedef fmi3_status fmi3_get_event_indicators_function(fmi3_instance, fmi3_float64[], size_t);
typedef fmi3_status fmi3_get_continuous_states_function(fmi3_instance, fmi3_float64[], size_t);
typedef fmi3_status fmi3_get_nominals_of_continuous_states_function(fmi3_instance, fmi3_float64[],
                                                                    size_t);
typedef fmi3_status fmi3_get_number_of_event_indicators_function(fmi3_instance, size_t*);
typedef fmi3_status fmi3_get_number_of_continuous_states_function(fmi3_instance, size_t*);

/* --- co-simulation --------------------------------------------------------------------------- */
typedef fmi3_status fmi3_enter_step_mode_function(fmi3_instance);
typedef fmi3_status fmi3_get_output_derivatives_function(fmi3_instance,
                                                         const fmi3_value_reference[], size_t,
                                                         const fmi3_int32 orders[], fmi3_float64[],
                                                         size_t);
typedef fmi3_status fmi3_do_step_function(fmi3_instance, fmi3_float64 communication_point,
                                          fmi3_float64 step_size,
                                          fmi3_boolean no_set_fmu_state_prior,
                                          fmi3_boolean* event_handling_needed,
                                          fmi3_boolean* terminate_simulation,
                                          fmi3_boolean* early_return,
                                          fmi3_float64* last_successful_time);

#ifdef __cplusplus
}
#endif

#endif
