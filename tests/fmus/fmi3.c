/* FMI 3.0 of a component. A call that the standard does not allow at that moment is an error with a
   message, so that a master that makes one is found out. */
#include "models/fmi/instance/fmi3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "component.h"

typedef struct {
  fmi3_log_message_callback log;
  fmi3_intermediate_update_callback update;
} version_part;

static version_part* part(component* c) { return c->more; }

static void log_error(component* c, const char* message) {
  if (!part(c)->log || (WITH_LOG_CATEGORIES && !c->says_errors)) return;
  part(c)->log(c->environment, fmi3_error, "logStatusError", message);
  if (WITH_LOG_CATEGORIES && c->says_all)
    part(c)->log(c->environment, fmi3_warning, "logEvents", "and something else");
}

/* Messages that nobody can tell whose they are. */
static void say_elsewhere(component* c) {
  if (!WRONG_ENVIRONMENT || !part(c)->log) return;
  part(c)->log((void*)1, fmi3_ok, "logAll", "nothing is wrong");
  part(c)->log((void*)1, fmi3_warning, "logAll", "something is odd");
}

static fmi3_status fail(component* c, const char* message) {
  log_error(c, message);
  return fmi3_error;
}

#define IN(...) in_phase(c, (const phase[]){__VA_ARGS__}, sizeof((const phase[]){__VA_ARGS__}))
static bool in_phase(const component* c, const phase* allowed, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof *allowed; ++i)
    if (c->now.phase == allowed[i]) return true;
  return false;
}

/* Returns from the function. */
#define ONLY_IN(...) \
  component* c = self; \
  if (c->may_set_intermediate || !IN(__VA_ARGS__)) \
    return fail(c, "this function may not be called now")

EXPORTED const char* fmi3GetVersion(void) { return "3.0"; }

EXPORTED fmi3_status fmi3SetDebugLogging(fmi3_instance self, fmi3_boolean on, size_t count,
                                         const fmi3_string categories[]) {
  switch_log(self, on, count, categories);
  return NO_DEBUG_LOGGING ? fmi3_error : fmi3_ok;
}

/* Lets the master set inputs at every stage, and read at the end of a step. */
static void update_intermediate(component* c, double time, double step_end) {
  fmi3_boolean early = false;
  fmi3_float64 early_time = 0;
  c->may_set_intermediate = true;
  if (WRONG_ENVIRONMENT)
    part(c)->update((void*)1, time, true, true, time >= step_end, true, &early, &early_time);
  if (early) abort(); /* nobody may ask for it who does not know which instance it is about */
  part(c)->update(c->environment, time, true, true, time >= step_end, false, &early, &early_time);
  c->may_set_intermediate = false;
}

static component* instantiate(bool co_simulation, fmi3_string instance, fmi3_string token,
                              fmi3_string resources, fmi3_instance_environment environment,
                              fmi3_log_message_callback log) {
  if (!instance || !*instance) return 0;
  if (!token || strcmp(token, "{" IDENTIFIER "}") != 0) {
    if (log) log(environment, fmi3_error, "logStatusError", "the instantiation token is another");
    return 0;
  }
  if (resources && (*resources != '/' || resources[strlen(resources) - 1] != '/')) {
    if (log) log(environment, fmi3_error, "logStatusError", "the resource path is none");
    return 0;
  }
  component* c = new_component(co_simulation);
  if (!c) return 0;
  version_part* p = calloc(1, sizeof *p);
  if (!p) abort();
  p->log = log;
  c->more = p;
  c->environment = environment;
  c->log = log_error;
  say_elsewhere(c);
  return c;
}

EXPORTED fmi3_instance fmi3InstantiateModelExchange(fmi3_string instance, fmi3_string token,
                                                    fmi3_string resources, fmi3_boolean visible,
                                                    fmi3_boolean logging_on,
                                                    fmi3_instance_environment environment,
                                                    fmi3_log_message_callback log) {
  (void)visible, (void)logging_on;
  return instantiate(false, instance, token, resources, environment, log);
}

EXPORTED fmi3_instance fmi3InstantiateCoSimulation(
    fmi3_string instance, fmi3_string token, fmi3_string resources, fmi3_boolean visible,
    fmi3_boolean logging_on, fmi3_boolean event_mode_used, fmi3_boolean early_return_allowed,
    const fmi3_value_reference required[], size_t required_count,
    fmi3_instance_environment environment, fmi3_log_message_callback log,
    fmi3_intermediate_update_callback update) {
  (void)visible, (void)logging_on, (void)required;
  if (event_mode_used ? !WITH_EVENT_MODE : WITH_CLOCK) return 0;
  if (required_count > 0 && !WITH_INPUT_DERIVATIVES) return 0;
  component* c = instantiate(true, instance, token, resources, environment, log);
  if (!c) return 0;
  part(c)->update = update;
  c->event_mode_used = event_mode_used;
  c->early_return_allowed = early_return_allowed;
  if (update && WITH_INPUT_DERIVATIVES && !NO_UPDATES) c->at_stage = update_intermediate;
  return c;
}

EXPORTED fmi3_instance fmi3InstantiateScheduledExecution(void) { return 0; }

EXPORTED void fmi3FreeInstance(fmi3_instance self) {
  component* c = self;
  if (!c) return;
  if (the_model.disturb_end) the_model.disturb_end(c, true);
  free(c->more);
  free_component(c);
}

EXPORTED fmi3_status fmi3EnterInitializationMode(fmi3_instance self,
                                                 fmi3_boolean tolerance_defined,
                                                 fmi3_float64 tolerance, fmi3_float64 start_time,
                                                 fmi3_boolean stop_time_defined,
                                                 fmi3_float64 stop_time) {
  (void)tolerance_defined, (void)tolerance, (void)stop_time_defined, (void)stop_time;
  ONLY_IN(instantiated);
  c->now.time = start_time;
  c->now.phase = initializing;
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3ExitInitializationMode(fmi3_instance self) {
  ONLY_IN(initializing);
  refresh(c);
  if (the_model.disturb_start && !the_model.disturb_start(c)) return fmi3_error;
  c->now.phase = c->co_simulation && !c->event_mode_used ? step_mode : event_mode;
  leave_rounding();
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3EnterEventMode(fmi3_instance self) {
  component* c = self;
  const phase from = c->co_simulation ? step_mode : continuous_mode;
  if (c->now.phase != from || (c->co_simulation && !c->event_mode_used))
    return fail(c, "this function may not be called now");
  c->now.phase = event_mode;
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3UpdateDiscreteStates(fmi3_instance self, fmi3_boolean* need_update,
                                              fmi3_boolean* end, fmi3_boolean* nominals_changed,
                                              fmi3_boolean* states_changed,
                                              fmi3_boolean* next_defined, fmi3_float64* next) {
  ONLY_IN(event_mode);
  *need_update = *end = *nominals_changed = false;
  *states_changed = the_model.event && the_model.event(c->now.value, c->now.time);
  const double time =
      the_model.next_event ? the_model.next_event(c->now.value, c->now.time) : INFINITY;
  *next_defined = isfinite(time);
  *next = isfinite(time) ? time : 0;
  leave_rounding();
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3EnterConfigurationMode(fmi3_instance self) {
  return fail(self, "there are no structural parameters");
}

EXPORTED fmi3_status fmi3ExitConfigurationMode(fmi3_instance self) {
  return fail(self, "there are no structural parameters");
}

EXPORTED fmi3_status fmi3Terminate(fmi3_instance self) {
  ONLY_IN(step_mode, event_mode, continuous_mode);
  c->now.phase = terminated;
  if (the_model.disturb_end) the_model.disturb_end(c, false);
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3Reset(fmi3_instance self) {
  reset_component(self);
  return fmi3_ok;
}

/* --- values ---------------------------------------------------------------------------------- */
static bool fits(value_type type, value_type wanted) {
  return type == wanted || (type == type_enumeration && wanted == type_integer);
}

static int readable(component* c, fmi3_value_reference reference, value_type type) {
  const int place = place_of(reference);
  return place >= 0 && fits(the_model.variables[place].type, type) && may_get(c) ? place : -1;
}

static int writable(component* c, fmi3_value_reference reference, value_type type) {
  const int place = place_of(reference);
  if (place < 0 || !fits(the_model.variables[place].type, type)) return -1;
  if (c->may_set_intermediate)
    return type == type_real && the_model.variables[place].causality == is_input ? place : -1;
  return may_set(c, place) ? place : -1;
}

#define ACCESS(Name, ctype, wanted)                                                                \
  EXPORTED fmi3_status fmi3Get##Name(fmi3_instance self, const fmi3_value_reference reference[],  \
                                     size_t count, ctype value[], size_t value_count) {           \
    component* c = self;                                                                           \
    if (count != value_count) return fail(c, "there are more or fewer values than variables");    \
    if (!c->may_set_intermediate) refresh(c);                                                      \
    for (size_t i = 0; i < count; ++i) {                                                           \
      const int place = readable(c, reference[i], wanted);                                         \
      if (place < 0) return fail(c, "this variable may not be read now by fmi3Get" #Name);        \
      value[i] = (ctype)value_at(c, place);                                                        \
    }                                                                                              \
    return fmi3_ok;                                                                                \
  }                                                                                                \
  EXPORTED fmi3_status fmi3Set##Name(fmi3_instance self, const fmi3_value_reference reference[],  \
                                     size_t count, const ctype value[], size_t value_count) {     \
    component* c = self;                                                                           \
    if (count != value_count) return fail(c, "there are more or fewer values than variables");    \
    for (size_t i = 0; i < count; ++i) {                                                           \
      const int place = writable(c, reference[i], wanted);                                         \
      if (place < 0) return fail(c, "this variable may not be set now by fmi3Set" #Name);         \
      c->now.value[place] = (double)value[i];                                                      \
    }                                                                                              \
    return fmi3_ok;                                                                                \
  }
#define NO_ACCESS(Name, ctype)                                                                     \
  EXPORTED fmi3_status fmi3Get##Name(fmi3_instance self, const fmi3_value_reference reference[],  \
                                     size_t count, ctype value[], size_t value_count) {           \
    (void)reference, (void)count, (void)value, (void)value_count;                                  \
    return fail(self, "there are no variables of this type");                                      \
  }                                                                                                \
  EXPORTED fmi3_status fmi3Set##Name(fmi3_instance self, const fmi3_value_reference reference[],  \
                                     size_t count, const ctype value[], size_t value_count) {     \
    (void)reference, (void)count, (void)value, (void)value_count;                                  \
    return fail(self, "there are no variables of this type");                                      \
  }
ACCESS(Float64, fmi3_float64, type_real)
ACCESS(Int32, fmi3_int32, type_integer)
ACCESS(Int64, fmi3_int64, type_enumeration)
ACCESS(Boolean, fmi3_boolean, type_boolean)
NO_ACCESS(Float32, fmi3_float32)
NO_ACCESS(Int8, fmi3_int8)
NO_ACCESS(UInt8, fmi3_uint8)
NO_ACCESS(Int16, fmi3_int16)
NO_ACCESS(UInt16, fmi3_uint16)
NO_ACCESS(UInt32, fmi3_uint32)
NO_ACCESS(UInt64, fmi3_uint64)

EXPORTED fmi3_status fmi3GetString(fmi3_instance self, const fmi3_value_reference reference[],
                                   size_t count, fmi3_string value[], size_t value_count) {
  component* c = self;
  if (count != value_count) return fail(c, "there are more or fewer values than variables");
  refresh(c);
  for (size_t i = 0; i < count; ++i) {
    const int place = readable(c, reference[i], type_string);
    if (place < 0) return fail(c, "this variable may not be read now by fmi3GetString");
    value[i] = c->now.text[place];
  }
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3SetString(fmi3_instance self, const fmi3_value_reference reference[],
                                   size_t count, const fmi3_string value[], size_t value_count) {
  component* c = self;
  if (count != value_count) return fail(c, "there are more or fewer values than variables");
  for (size_t i = 0; i < count; ++i) {
    const int place = writable(c, reference[i], type_string);
    if (place < 0) return fail(c, "this variable may not be set now by fmi3SetString");
    set_text(c, place, value[i]);
  }
  return fmi3_ok;
}

/* --- state ----------------------------------------------------------------------------------- */
EXPORTED fmi3_status fmi3GetFMUState(fmi3_instance self, fmi3_fmu_state* state) {
  component* c = self;
  if (!WITH_STATE || (NO_STATE_AT_FIRST && c->now.phase == instantiated))
    return fail(c, "the state cannot be saved");
  if (!*state) *state = malloc(sizeof c->now);
  if (!*state) return fmi3_error;
  memcpy(*state, &c->now, sizeof c->now);
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3SetFMUState(fmi3_instance self, fmi3_fmu_state state) {
  component* c = self;
  if (!WITH_STATE || !state) return fail(c, "there is no state to restore");
  memcpy(&c->now, state, sizeof c->now);
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3FreeFMUState(fmi3_instance self, fmi3_fmu_state* state) {
  (void)self;
  free(*state);
  *state = 0;
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3SerializedFMUStateSize(fmi3_instance self, fmi3_fmu_state state,
                                                size_t* size) {
  (void)self, (void)state;
  *size = sizeof(memory);
  return WITH_STATE ? fmi3_ok : fmi3_error;
}

EXPORTED fmi3_status fmi3SerializeFMUState(fmi3_instance self, fmi3_fmu_state state,
                                           fmi3_byte bytes[], size_t size) {
  (void)self;
  if (!WITH_STATE || size < sizeof(memory)) return fmi3_error;
  memcpy(bytes, state, sizeof(memory));
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3DeserializeFMUState(fmi3_instance self, const fmi3_byte bytes[],
                                             size_t size, fmi3_fmu_state* state) {
  (void)self;
  if (!WITH_STATE || size != sizeof(memory)) return fmi3_error;
  if (!*state) *state = malloc(sizeof(memory));
  if (!*state) return fmi3_error;
  memcpy(*state, bytes, sizeof(memory));
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3GetDirectionalDerivative(
    fmi3_instance self, const fmi3_value_reference unknown[], size_t unknown_count,
    const fmi3_value_reference known[], size_t known_count, const fmi3_float64 seed[],
    size_t seed_count, fmi3_float64 sensitivity[], size_t sensitivity_count) {
  ONLY_IN(initializing, event_mode, continuous_mode, step_mode);
  if (!WITH_DIRECTIONAL_DERIVATIVES || seed_count != known_count ||
      sensitivity_count != unknown_count)
    return fail(c, "there are no such directional derivatives");
  return directional_derivative(c, unknown, unknown_count, known, known_count, seed, sensitivity)
             ? fmi3_ok
             : fmi3_error;
}

/* --- co-simulation --------------------------------------------------------------------------- */
EXPORTED fmi3_status fmi3EnterStepMode(fmi3_instance self) {
  component* c = self;
  if (!c->co_simulation || c->now.phase != event_mode)
    return fail(c, "this function may not be called now");
  c->now.phase = step_mode;
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3GetOutputDerivatives(fmi3_instance self,
                                              const fmi3_value_reference reference[], size_t count,
                                              const fmi3_int32 order[], fmi3_float64 value[],
                                              size_t value_count) {
  ONLY_IN(step_mode, terminated);
  refresh(c);
  for (size_t i = 0; i < count; ++i) {
    const int place = readable(c, reference[i], type_real);
    int rate = -1;
    for (size_t j = 0; j < the_model.variable_count; ++j)
      if (the_model.variables[j].derivative_of == place) rate = (int)j;
    if (!WITH_OUTPUT_DERIVATIVES || place < 0 || rate < 0 || order[i] != 1 || count != value_count)
      return fmi3_discard;
    value[i] = c->now.value[rate];
  }
  return fmi3_ok;
}

#if !WITHOUT_DO_STEP
EXPORTED fmi3_status fmi3DoStep(fmi3_instance self, fmi3_float64 time, fmi3_float64 size,
                                fmi3_boolean no_set_state_prior, fmi3_boolean* event_needed,
                                fmi3_boolean* end, fmi3_boolean* early, fmi3_float64* reached) {
  (void)no_set_state_prior;
  ONLY_IN(step_mode);
  if (!(size > 0)) return fail(c, "the step has no size");
  if (fabs(time - c->now.time) > 1e-9 * fmax(1, fabs(time)) && c->now.time < time)
    return fail(c, "the step does not begin where the last one ended");
  say_elsewhere(c);
  *event_needed = *end = *early = false;
  *reached = time;
  switch (step_component(c, time, size, reached)) {
    case step_early: *event_needed = *early = true; return fmi3_ok;
    case step_discard: return fmi3_discard;
    case step_error: return fmi3_error;
    case step_fatal: return fmi3_fatal;
    case step_pending: return (fmi3_status)5; /* no status of FMI 3.0 */
    default: return fmi3_ok;
  }
}
#endif

/* --- model exchange -------------------------------------------------------------------------- */
EXPORTED fmi3_status fmi3EnterContinuousTimeMode(fmi3_instance self) {
  ONLY_IN(event_mode);
  if (c->co_simulation) return fail(c, "this is for model exchange");
  c->now.phase = continuous_mode;
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3CompletedIntegratorStep(fmi3_instance self, fmi3_boolean no_set_prior,
                                                 fmi3_boolean* enter_event, fmi3_boolean* end) {
  (void)no_set_prior;
  ONLY_IN(continuous_mode);
  *enter_event = *end = false;
  leave_rounding();
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3SetTime(fmi3_instance self, fmi3_float64 time) {
  ONLY_IN(event_mode, continuous_mode);
  c->now.time = time;
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3SetContinuousStates(fmi3_instance self, const fmi3_float64 x[],
                                             size_t count) {
  ONLY_IN(continuous_mode);
  if (count != state_count()) return fail(c, "this is not the number of states");
  for (size_t i = 0; i < count; ++i) c->now.value[state_place(i)] = x[i];
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3GetContinuousStates(fmi3_instance self, fmi3_float64 x[], size_t count) {
  ONLY_IN(initializing, event_mode, continuous_mode);
  if (count != state_count()) return fail(c, "this is not the number of states");
  refresh(c);
  for (size_t i = 0; i < count; ++i) x[i] = c->now.value[state_place(i)];
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3GetContinuousStateDerivatives(fmi3_instance self, fmi3_float64 rate[],
                                                       size_t count) {
  ONLY_IN(initializing, event_mode, continuous_mode);
  if (count != state_count()) return fail(c, "this is not the number of states");
  refresh(c);
  for (size_t i = 0; i < count; ++i) rate[i] = c->now.value[derivative_place(i)];
  leave_rounding();
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3GetEventIndicators(fmi3_instance self, fmi3_float64 indicator[],
                                            size_t count) {
  ONLY_IN(initializing, event_mode, continuous_mode);
  if (count != the_model.indicator_count) return fail(c, "this is not the number of indicators");
  if (the_model.indicators) the_model.indicators(c->now.value, indicator);
  leave_rounding();
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3GetNominalsOfContinuousStates(fmi3_instance self, fmi3_float64 nominal[],
                                                       size_t count) {
  ONLY_IN(initializing, event_mode, continuous_mode);
  if (count != state_count()) return fail(c, "this is not the number of states");
  for (size_t i = 0; i < count; ++i) nominal[i] = 1;
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3GetNumberOfEventIndicators(fmi3_instance self, size_t* count) {
  (void)self;
  *count = the_model.indicator_count;
  return fmi3_ok;
}

EXPORTED fmi3_status fmi3GetNumberOfContinuousStates(fmi3_instance self, size_t* count) {
  (void)self;
  *count = state_count();
  return fmi3_ok;
}
