/* FMI 2.0 of a component. A call that the standard does not allow at that moment is an error with a
   message, so that a master that makes one is found out. */
#include "models/fmi/instance/fmi2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "component.h"

typedef struct {
  fmi2_callbacks callbacks;
  char instance[64];
} version_part;

static version_part* part(component* c) { return c->more; }

static void say(component* c, fmi2_status status, const char* message) {
  const version_part* p = part(c);
  if (!p->callbacks.logger || (WITH_LOG_CATEGORIES && !c->says_errors)) return;
  p->callbacks.logger(p->callbacks.component_environment, p->instance, status, "logStatusError",
                      "%s", message);
  if (WITH_LOG_CATEGORIES && c->says_all)
    p->callbacks.logger(p->callbacks.component_environment, p->instance, fmi2_warning, "logEvents",
                        "and something else");
}

static void log_error(component* c, const char* message) { say(c, fmi2_error, message); }

static fmi2_status fail(component* c, const char* message) {
  say(c, fmi2_error, message);
  return fmi2_error;
}

/* Messages that nobody can tell whose they are. */
static void say_elsewhere(const component* c) {
  const version_part* p = c->more;
  if (!WRONG_ENVIRONMENT) return;
  p->callbacks.logger((void*)1, p->instance, fmi2_ok, "logAll", "%s", "nothing is wrong");
  p->callbacks.logger((void*)1, p->instance, fmi2_warning, "logAll", "%s", "something is odd");
}

/* Whether the phase is one of those in the mask. */
#define IN(...) in_phase(c, (const phase[]){__VA_ARGS__}, sizeof((const phase[]){__VA_ARGS__}))
static bool in_phase(const component* c, const phase* allowed, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof *allowed; ++i)
    if (c->now.phase == allowed[i]) return true;
  return false;
}

/* Returns from the function. */
#define ONLY_IN(...) \
  component* c = self; \
  if (!IN(__VA_ARGS__)) return fail(c, "this function may not be called now")

EXPORTED const char* fmi2GetTypesPlatform(void) { return "default"; }
EXPORTED const char* fmi2GetVersion(void) { return "2.0"; }

EXPORTED fmi2_status fmi2SetDebugLogging(fmi2_component self, fmi2_boolean on, size_t count,
                                         const fmi2_string categories[]) {
  switch_log(self, on, count, categories);
  return NO_DEBUG_LOGGING ? fmi2_error : fmi2_ok;
}

EXPORTED fmi2_component fmi2Instantiate(fmi2_string instance, fmi2_type type, fmi2_string guid,
                                        fmi2_string resources, const fmi2_callbacks* callbacks,
                                        fmi2_boolean visible, fmi2_boolean logging_on) {
  (void)visible, (void)logging_on;
  if (!instance || !*instance || !callbacks || !callbacks->logger) return 0;
  if (!guid || strcmp(guid, "{" IDENTIFIER "}") != 0) {
    callbacks->logger(callbacks->component_environment, instance, fmi2_error, "logAll",
                      "the guid is not that of the model description");
    return 0;
  }
  if (resources && strncmp(resources, "file:///", 8) != 0) return 0;
  component* c = new_component(type == fmi2_co_simulation);
  if (!c) return 0;
  version_part* p = calloc(1, sizeof *p);
  if (!p) abort();
  p->callbacks = *callbacks;
  strncpy(p->instance, instance, sizeof p->instance - 1);
  c->more = p;
  c->log = log_error;
  say_elsewhere(c);
  return c;
}

EXPORTED void fmi2FreeInstance(fmi2_component self) {
  component* c = self;
  if (!c) return;
  if (the_model.disturb_end) the_model.disturb_end(c, true);
  free(c->more);
  free_component(c);
}

EXPORTED fmi2_status fmi2SetupExperiment(fmi2_component self, fmi2_boolean tolerance_defined,
                                         fmi2_real tolerance, fmi2_real start_time,
                                         fmi2_boolean stop_time_defined, fmi2_real stop_time) {
  (void)tolerance_defined, (void)tolerance, (void)stop_time_defined, (void)stop_time;
  ONLY_IN(instantiated);
  c->now.time = start_time;
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2EnterInitializationMode(fmi2_component self) {
  ONLY_IN(instantiated);
  c->now.phase = initializing;
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2ExitInitializationMode(fmi2_component self) {
  ONLY_IN(initializing);
  refresh(c);
  if (the_model.disturb_start && !the_model.disturb_start(c)) return fmi2_error;
  c->now.phase = c->co_simulation ? step_mode : event_mode;
  leave_rounding();
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2Terminate(fmi2_component self) {
  ONLY_IN(step_mode, event_mode, continuous_mode);
  c->now.phase = terminated;
  if (the_model.disturb_end) the_model.disturb_end(c, false);
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2Reset(fmi2_component self) {
  reset_component(self);
  return fmi2_ok;
}

/* --- values ---------------------------------------------------------------------------------- */
static bool is_number(value_type type, value_type wanted) {
  return type == wanted || (type == type_enumeration && wanted == type_integer);
}

static int readable(component* c, fmi2_value_reference reference, value_type type) {
  const int place = place_of(reference);
  return place >= 0 && is_number(the_model.variables[place].type, type) && may_get(c) ? place : -1;
}

static int writable(component* c, fmi2_value_reference reference, value_type type) {
  const int place = place_of(reference);
  return place >= 0 && is_number(the_model.variables[place].type, type) && may_set(c, place) ? place
                                                                                            : -1;
}

#define ACCESS(Name, ctype, wanted)                                                               \
  EXPORTED fmi2_status fmi2Get##Name(fmi2_component self, const fmi2_value_reference reference[], \
                                     size_t count, ctype value[]) {                               \
    component* c = self;                                                                          \
    refresh(c);                                                                                   \
    for (size_t i = 0; i < count; ++i) {                                                          \
      const int place = readable(c, reference[i], wanted);                                        \
      if (place < 0) return fail(c, "this variable may not be read now by fmi2Get" #Name);        \
      value[i] = (ctype)value_at(c, place);                                                       \
    }                                                                                             \
    return fmi2_ok;                                                                               \
  }                                                                                               \
  EXPORTED fmi2_status fmi2Set##Name(fmi2_component self, const fmi2_value_reference reference[], \
                                     size_t count, const ctype value[]) {                         \
    component* c = self;                                                                          \
    for (size_t i = 0; i < count; ++i) {                                                          \
      const int place = writable(c, reference[i], wanted);                                        \
      if (place < 0) return fail(c, "this variable may not be set now by fmi2Set" #Name);         \
      c->now.value[place] = (double)value[i];                                                     \
    }                                                                                             \
    return fmi2_ok;                                                                               \
  }
ACCESS(Real, fmi2_real, type_real)
ACCESS(Integer, fmi2_integer, type_integer)
ACCESS(Boolean, fmi2_boolean, type_boolean)

EXPORTED fmi2_status fmi2GetString(fmi2_component self, const fmi2_value_reference reference[],
                                   size_t count, fmi2_string value[]) {
  component* c = self;
  refresh(c);
  for (size_t i = 0; i < count; ++i) {
    const int place = readable(c, reference[i], type_string);
    if (place < 0) return fail(c, "this variable may not be read now by fmi2GetString");
    value[i] = c->now.text[place];
  }
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2SetString(fmi2_component self, const fmi2_value_reference reference[],
                                   size_t count, const fmi2_string value[]) {
  component* c = self;
  for (size_t i = 0; i < count; ++i) {
    const int place = writable(c, reference[i], type_string);
    if (place < 0) return fail(c, "this variable may not be set now by fmi2SetString");
    set_text(c, place, value[i]);
  }
  return fmi2_ok;
}

/* --- state ----------------------------------------------------------------------------------- */
EXPORTED fmi2_status fmi2GetFMUstate(fmi2_component self, fmi2_fmu_state* state) {
  component* c = self;
  if (!WITH_STATE || (NO_STATE_AT_FIRST && c->now.phase == instantiated))
    return fail(c, "the state cannot be saved");
  if (!*state) *state = malloc(sizeof c->now);
  if (!*state) return fmi2_error;
  memcpy(*state, &c->now, sizeof c->now);
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2SetFMUstate(fmi2_component self, fmi2_fmu_state state) {
  component* c = self;
  if (!WITH_STATE || !state) return fail(c, "there is no state to restore");
  memcpy(&c->now, state, sizeof c->now);
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2FreeFMUstate(fmi2_component self, fmi2_fmu_state* state) {
  (void)self;
  free(*state);
  *state = 0;
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2SerializedFMUstateSize(fmi2_component self, fmi2_fmu_state state,
                                                size_t* size) {
  (void)self, (void)state;
  *size = sizeof(memory);
  return WITH_STATE ? fmi2_ok : fmi2_error;
}

EXPORTED fmi2_status fmi2SerializeFMUstate(fmi2_component self, fmi2_fmu_state state,
                                           fmi2_byte bytes[], size_t size) {
  (void)self;
  if (!WITH_STATE || size < sizeof(memory)) return fmi2_error;
  memcpy(bytes, state, sizeof(memory));
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2DeSerializeFMUstate(fmi2_component self, const fmi2_byte bytes[],
                                             size_t size, fmi2_fmu_state* state) {
  (void)self;
  if (!WITH_STATE || size != sizeof(memory)) return fmi2_error;
  if (!*state) *state = malloc(sizeof(memory));
  if (!*state) return fmi2_error;
  memcpy(*state, bytes, sizeof(memory));
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2GetDirectionalDerivative(fmi2_component self,
                                                  const fmi2_value_reference unknown[],
                                                  size_t unknown_count,
                                                  const fmi2_value_reference known[],
                                                  size_t known_count, const fmi2_real seed[],
                                                  fmi2_real sensitivity[]) {
  ONLY_IN(initializing, event_mode, continuous_mode, step_mode);
  if (!WITH_DIRECTIONAL_DERIVATIVES) return fail(c, "there are no directional derivatives");
  return directional_derivative(c, unknown, unknown_count, known, known_count, seed, sensitivity)
             ? fmi2_ok
             : fmi2_error;
}

/* --- co-simulation --------------------------------------------------------------------------- */
EXPORTED fmi2_status fmi2SetRealInputDerivatives(fmi2_component self,
                                                 const fmi2_value_reference reference[],
                                                 size_t count, const fmi2_integer order[],
                                                 const fmi2_real value[]) {
  ONLY_IN(initializing, step_mode);
  if (!WITH_INPUT_DERIVATIVES) return fail(c, "there are no input derivatives");
  for (size_t i = 0; i < count; ++i) {
    const int place = writable(c, reference[i], type_real);
    if (place < 0 || order[i] < 1 || order[i] > max_order)
      return fail(c, "this derivative of an input cannot be set");
    c->now.slope[place][order[i] - 1] = value[i];
  }
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2GetRealOutputDerivatives(fmi2_component self,
                                                  const fmi2_value_reference reference[],
                                                  size_t count, const fmi2_integer order[],
                                                  fmi2_real value[]) {
  ONLY_IN(step_mode, terminated);
  refresh(c);
  for (size_t i = 0; i < count; ++i) {
    const int place = readable(c, reference[i], type_real);
    int rate = -1;
    for (size_t j = 0; j < the_model.variable_count; ++j)
      if (the_model.variables[j].derivative_of == place) rate = (int)j;
    if (!WITH_OUTPUT_DERIVATIVES || place < 0 || rate < 0 || order[i] != 1)
      return fmi2_discard;
    value[i] = c->now.value[rate];
  }
  return fmi2_ok;
}

#if !WITHOUT_DO_STEP
EXPORTED fmi2_status fmi2DoStep(fmi2_component self, fmi2_real time, fmi2_real size,
                                fmi2_boolean no_set_state_prior) {
  (void)no_set_state_prior;
  ONLY_IN(step_mode);
  if (!(size > 0)) return fail(c, "the step has no size");
  if (the_model.variables && fabs(time - c->now.time) > 1e-9 * fmax(1, fabs(time)) &&
      c->now.time < time)
    return fail(c, "the step does not begin where the last one ended");
  say_elsewhere(c);
  double reached = time;
  switch (step_component(c, time, size, &reached)) {
    case step_discard: return fmi2_discard;
    case step_error: return fmi2_error;
    case step_fatal: return fmi2_fatal;
    case step_pending: return fmi2_pending;
    default: return fmi2_ok;
  }
}
#endif

EXPORTED fmi2_status fmi2CancelStep(fmi2_component self) {
  (void)self;
  return fmi2_error;
}

EXPORTED fmi2_status fmi2GetRealStatus(fmi2_component self, fmi2_status_kind kind,
                                       fmi2_real* value) {
  component* c = self;
  if (kind != fmi2_last_successful_time) return fmi2_discard;
  *value = c->now.time;
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2GetBooleanStatus(fmi2_component self, fmi2_status_kind kind,
                                          fmi2_boolean* value) {
  (void)self;
  *value = fmi2_false;
  return kind == fmi2_terminated ? fmi2_ok : fmi2_discard;
}

EXPORTED fmi2_status fmi2GetStatus(fmi2_component self, fmi2_status_kind kind,
                                   fmi2_status* value) {
  (void)self, (void)kind, (void)value;
  return fmi2_discard;
}

EXPORTED fmi2_status fmi2GetIntegerStatus(fmi2_component self, fmi2_status_kind kind,
                                          fmi2_integer* value) {
  (void)self, (void)kind, (void)value;
  return fmi2_discard;
}

EXPORTED fmi2_status fmi2GetStringStatus(fmi2_component self, fmi2_status_kind kind,
                                         fmi2_string* value) {
  (void)self, (void)kind, (void)value;
  return fmi2_discard;
}

/* --- model exchange -------------------------------------------------------------------------- */
EXPORTED fmi2_status fmi2EnterEventMode(fmi2_component self) {
  ONLY_IN(continuous_mode);
  c->now.phase = event_mode;
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2NewDiscreteStates(fmi2_component self, fmi2_event_info* info) {
  ONLY_IN(event_mode);
  memset(info, 0, sizeof *info);
  if (the_model.event)
    info->values_of_continuous_states_changed = the_model.event(c->now.value, c->now.time);
  const double next =
      the_model.next_event ? the_model.next_event(c->now.value, c->now.time) : INFINITY;
  info->next_event_time_defined = isfinite(next) ? fmi2_true : fmi2_false;
  info->next_event_time = isfinite(next) ? next : 0;
  leave_rounding();
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2EnterContinuousTimeMode(fmi2_component self) {
  ONLY_IN(event_mode);
  c->now.phase = continuous_mode;
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2CompletedIntegratorStep(fmi2_component self, fmi2_boolean no_set_prior,
                                                 fmi2_boolean* enter_event, fmi2_boolean* end) {
  (void)no_set_prior;
  ONLY_IN(continuous_mode);
  *enter_event = fmi2_false;
  *end = fmi2_false;
  leave_rounding();
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2SetTime(fmi2_component self, fmi2_real time) {
  ONLY_IN(event_mode, continuous_mode);
  c->now.time = time;
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2SetContinuousStates(fmi2_component self, const fmi2_real x[],
                                             size_t count) {
  ONLY_IN(continuous_mode);
  if (count != state_count()) return fail(c, "this is not the number of states");
  for (size_t i = 0; i < count; ++i) c->now.value[state_place(i)] = x[i];
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2GetContinuousStates(fmi2_component self, fmi2_real x[], size_t count) {
  ONLY_IN(initializing, event_mode, continuous_mode);
  if (count != state_count()) return fail(c, "this is not the number of states");
  refresh(c);
  for (size_t i = 0; i < count; ++i) x[i] = c->now.value[state_place(i)];
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2GetDerivatives(fmi2_component self, fmi2_real rate[], size_t count) {
  ONLY_IN(initializing, event_mode, continuous_mode);
  if (count != state_count()) return fail(c, "this is not the number of states");
  refresh(c);
  for (size_t i = 0; i < count; ++i) rate[i] = c->now.value[derivative_place(i)];
  leave_rounding();
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2GetEventIndicators(fmi2_component self, fmi2_real indicator[],
                                            size_t count) {
  ONLY_IN(initializing, event_mode, continuous_mode);
  if (count != the_model.indicator_count) return fail(c, "this is not the number of indicators");
  if (the_model.indicators) the_model.indicators(c->now.value, indicator);
  leave_rounding();
  return fmi2_ok;
}

EXPORTED fmi2_status fmi2GetNominalsOfContinuousStates(fmi2_component self, fmi2_real nominal[],
                                                       size_t count) {
  ONLY_IN(initializing, event_mode, continuous_mode);
  if (count != state_count()) return fail(c, "this is not the number of states");
  for (size_t i = 0; i < count; ++i) nominal[i] = 1;
  return fmi2_ok;
}
