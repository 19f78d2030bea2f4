/* The C interface of FMI 2.0 (FMI for Model Exchange and Co-Simulation 2.0.4, sections 2.1, 3.2 and
   4.2), declared from the standard's text. Plain C: test FMUs include it, too.

   fmi2_status grows with badness up to fatal; pending is for asynchronous steps, which nothing here
   uses. Value references and counts are as wide as the standard says, whatever the platform. */
#ifndef MACROSTEP_MODELS_FMI_FMI2_H
#define MACROSTEP_MODELS_FMI_FMI2_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void* fmi2_component;
typedef void* fmi2_component_environment;
typedef void* fmi2_fmu_state;
typedef unsigned int fmi2_value_reference;
typedef double fmi2_real;
typedef int fmi2_integer;
typedef int fmi2_boolean;
typedef char fmi2_char;
typedef const fmi2_char* fmi2_string;
typedef char fmi2_byte;

enum { fmi2_false = 0, fmi2_true = 1 };

typedef enum {
  fmi2_ok,
  fmi2_warning,
  fmi2_discard,
  fmi2_error,
  fmi2_fatal,
  fmi2_pending
} fmi2_status;

typedef enum { fmi2_model_exchange, fmi2_co_simulation } fmi2_type;

typedef enum {
  fmi2_do_step_status,
  fmi2_pending_status,
  fmi2_last_successful_time,
  fmi2_terminated
} fmi2_status_kind;

typedef struct {
  fmi2_boolean new_discrete_states_needed;
  fmi2_boolean terminate_simulation;
  fmi2_boolean nominals_of_continuous_states_changed;
  fmi2_boolean values_of_continuous_states_changed;
  fmi2_boolean next_event_time_defined;
  fmi2_real next_event_time;
} fmi2_event_info;

typedef void (*fmi2_logger)(fmi2_component_environment, fmi2_string instance, fmi2_status,
                            fmi2_string category, fmi2_string message, ...);
typedef void* (*fmi2_allocate)(size_t count, size_t size);
typedef void (*fmi2_free)(void*);
typedef void (*fmi2_step_finished)(fmi2_component_environment, fmi2_status);

typedef struct {
  fmi2_logger logger;
  fmi2_allocate allocate_memory;
  fmi2_free free_memory;
  fmi2_step_finished step_finished;
  fmi2_component_environment component_environment;
} fmi2_callbacks;

/* --- both interfaces ------------------------------------------------------------------------- */
typedef const char* fmi2_get_types_platform_function(void);
typedef const char* fmi2_get_version_function(void);
typedef fmi2_status fmi2_set_debug_logging_function(fmi2_component, fmi2_boolean on,
                                                    size_t category_count,
                                                    const fmi2_string categories[]);
typedef fmi2_component fmi2_instantiate_function(fmi2_string instance, fmi2_type, fmi2_string guid,
                                                 fmi2_string resource_location,
                                                 const fmi2_callbacks*, fmi2_boolean visible,
                                                 fmi2_boolean logging_on);
typedef void fmi2_free_instance_function(fmi2_component);
typedef fmi2_status fmi2_setup_experiment_function(fmi2_component, fmi2_boolean tolerance_defined,
                                                   fmi2_real tolerance, fmi2_real start_time,
                                                   fmi2_boolean stop_time_defined,
                                                   fmi2_real stop_time);
typedef fmi2_status fmi2_enter_initialization_mode_function(fmi2_component);
typedef fmi2_status fmi2_exit_initialization_mode_function(fmi2_component);
typedef fmi2_status fmi2_terminate_function(fmi2_component);
typedef fmi2_status fmi2_reset_function(fmi2_component);

typedef fmi2_status fmi2_get_real_function(fmi2_component, const fmi2_value_reference[], size_t,
                                           fmi2_real[]);
typedef fmi2_status fmi2_get_integer_function(fmi2_component, const fmi2_value_reference[], size_t,
                                              fmi2_integer[]);
typedef fmi2_status fmi2_get_boolean_function(fmi2_component, const fmi2_value_reference[], size_t,
                                              fmi2_boolean[]);
typedef fmi2_status fmi2_get_string_function(fmi2_component, const fmi2_value_reference[], size_t,
                                             fmi2_string[]);
typedef fmi2_status fmi2_set_real_function(fmi2_component, const fmi2_value_reference[], size_t,
                                           const fmi2_real[]);
typedef fmi2_status fmi2_set_integer_function(fmi2_component, const fmi2_value_reference[], size_t,
                                              const fmi2_integer[]);
typedef fmi2_status fmi2_set_boolean_function(fmi2_component, const fmi2_value_reference[], size_t,
                                              const fmi2_boolean[]);
typedef fmi2_status fmi2_set_string_function(fmi2_component, const fmi2_value_reference[], size_t,
                                             const fmi2_string[]);

typedef fmi2_status fmi2_get_fmu_state_function(fmi2_component, fmi2_fmu_state*);
typedef fmi2_status fmi2_set_fmu_state_function(fmi2_component, fmi2_fmu_state);
typedef fmi2_status fmi2_free_fmu_state_function(fmi2_component, fmi2_fmu_state*);
typedef fmi2_status fmi2_serialized_fmu_state_size_function(fmi2_component, fmi2_fmu_state,
                                                            size_t*);
typedef fmi2_status fmi2_serialize_fmu_state_function(fmi2_component, fmi2_fmu_state, fmi2_byte[],
                                                      size_t);
typedef fmi2_status fmi2_deserialize_fmu_state_function(fmi2_component, const fmi2_byte[], size_t,
                                                        fmi2_fmu_state*);
typedef fmi2_status fmi2_get_directional_derivative_function(
    fmi2_component, const fmi2_value_reference unknown[], size_t unknown_count,
    const fmi2_value_reference known[], size_t known_count, const fmi2_real seed[],
    fmi2_real sensitivity[]);

/* --- model exchange -------------------------------------------------------------------------- */
typedef fmi2_status fmi2_enter_event_mode_function(fmi2_component);
typedef fmi2_status fmi2_new_discrete_states_function(fmi2_component, fmi2_event_info*);
typedef fmi2_status fmi2_enter_continuous_time_mode_function(fmi2_component);
typedef fmi2_status fmi2_completed_integrator_step_function(
    fmi2_component, fmi2_boolean no_set_fmu_state_prior, fmi2_boolean* enter_event_mode,
    fmi2_boolean* terminate);
typedef fmi2_status fmi2_set_time_function(fmi2_component, fmi2_real);
typedef fmi2_status fmi2_set_continuous_states_function(fmi2_component, const fmi2_real[], size_t);
typedef fmi2_status fmi2_get_derivatives_function(fmi2_component, fmi2_real[], size_t);
typedef fmi2_status fmi2_get_event_indicators_function(fmi2_component, fmi2_real[], size_t);
typedef fmi2_status fmi2_get_continuous_states_function(fmi2_component, fmi2_real[], size_t);
typedef fmi2_status fmi2_get_nominals_of_continuous_states_function(fmi2_component, fmi2_real[],
                                                                    size_t);

/* --- co-simulation --------------------------------------------------------------------------- */
typedef fmi2_status fmi2_set_real_input_derivatives_function(fmi2_component,
                                                             const fmi2_value_reference[], size_t,
                                                             const fmi2_integer order[],
                                                             const fmi2_real[]);
typedef fmi2_status fmi2_get_real_output_derivatives_function(fmi2_component,
                                                              const fmi2_value_reference[], size_t,
                                                              const fmi2_integer order[],
                                                              fmi2_real[]);
typedef fmi2_status fmi2_do_step_function(fmi2_component, fmi2_real communication_point,
                                          fmi2_real step_size,
                                          fmi2_boolean no_set_fmu_state_prior);
typedef fmi2_status fmi2_cancel_step_function(fmi2_component);
typedef fmi2_status fmi2_get_status_function(fmi2_component, fmi2_status_kind, fmi2_status*);
typedef fmi2_status fmi2_get_real_status_function(fmi2_component, fmi2_status_kind, fmi2_real*);
typedef fmi2_status fmi2_get_integer_status_function(fmi2_component, fmi2_status_kind,
                                                     fmi2_integer*);
typedef fmi2_status fmi2_get_boolean_status_function(fmi2_component, fmi2_status_kind,
                                                     fmi2_boolean*);
typedef fmi2_status fmi2_get_string_status_function(fmi2_component, fmi2_status_kind,
                                                    fmi2_string*);

#ifdef __cplusplus
}
#endif

#endif
