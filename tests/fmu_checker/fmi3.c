/* FMI 3.0, declared here from the standard, apart from all other declarations in this project. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fmu.h"

typedef void* handle;
typedef const char* string;
typedef void (*log_callback)(void*, int status, string category, string message);
typedef void (*intermediate_callback)(void*, double time, bool set_requested, bool get_allowed,
                                      bool step_finished, bool can_return_early,
                                      bool* return_requested, double* return_time);

typedef struct {
  string (*version)(void);
  handle (*instantiate_exchange)(string, string token, string resources, bool visible, bool logging,
                                 void*, log_callback);
  handle (*instantiate_simulation)(string, string token, string resources, bool visible,
                                   bool logging, bool event_mode, bool early_return,
                                   const uint32_t required[], size_t, void*, log_callback,
                                   intermediate_callback);
  void (*free_instance)(handle);
  int (*set_debug_logging)(handle, bool, size_t, const string[]);
  int (*enter_initialization)(handle, bool, double tolerance, double start, bool, double stop);
  int (*exit_initialization)(handle);
  int (*terminate)(handle);
  int (*reset)(handle);
  int (*get_float64)(handle, const uint32_t[], size_t, double[], size_t);
  int (*set_float64)(handle, const uint32_t[], size_t, const double[], size_t);
  int (*get_int32)(handle, const uint32_t[], size_t, int32_t[], size_t);
  int (*get_state)(handle, fmu_state*);
  int (*set_state)(handle, fmu_state);
  int (*free_state)(handle, fmu_state*);
  int (*state_size)(handle, fmu_state, size_t*);
  int (*serialize)(handle, fmu_state, uint8_t[], size_t);
  int (*deserialize)(handle, const uint8_t[], size_t, fmu_state*);
  int (*directional)(handle, const uint32_t[], size_t, const uint32_t[], size_t, const double[],
                     size_t, double[], size_t);
  int (*get_output_derivatives)(handle, const uint32_t[], size_t, const int32_t[], double[],
                                size_t);
  int (*do_step)(handle, double, double, bool, bool*, bool*, bool*, double*);
  int (*update_discrete)(handle, bool*, bool*, bool*, bool*, bool*, double*);
  int (*enter_continuous)(handle);
  int (*enter_event)(handle);
  int (*completed_step)(handle, bool, bool*, bool*);
  int (*set_time)(handle, double);
  int (*set_states)(handle, const double[], size_t);
  int (*get_states)(handle, double[], size_t);
  int (*get_derivatives)(handle, double[], size_t);
  int (*get_nominals)(handle, double[], size_t);
  int (*state_count)(handle, size_t*);
} functions_of_fmi3;

/* An instance with what its callback needs. */
typedef struct {
  handle of;
  functions_of_fmi3* f;
  bool within_steps;
  const input_course* courses; /* of the present step */
  size_t course_count;
  double step_begin, step_end;
  int updates;
} wrapped;

static functions_of_fmi3* of(fmu* unit) {
  return unit->functions;
}
static handle in(instance i) {
  return i ? ((wrapped*)i)->of : NULL;
}

static void count_message(void* environment, int status, string category, string message) {
  (void)environment;
  (void)status;
  ++messages_logged;
  check(category && message, "log message", "has an argument that is NULL");
}

static void update(void* environment, double time, bool set_requested, bool get_allowed,
                   bool step_finished, bool can_return_early, bool* return_requested,
                   double* return_time) {
  wrapped* w = environment;
  (void)get_allowed;
  (void)step_finished;
  (void)return_time;
  ++w->updates;
  check(time >= w->step_begin && time <= w->step_end, "intermediate update",
        "at %g, outside of the step from %g to %g", time, w->step_begin, w->step_end);
  check(!can_return_early, "intermediate update", "offers an early return that was not allowed");
  *return_requested = false;
  if (!set_requested) {
    return;
  }
  for (size_t k = 0; k < w->course_count; ++k) {
    const uint32_t reference = w->courses[k].reference;
    const double value = course_value(&w->courses[k], time - w->step_begin);
    check(w->f->set_float64(w->of, &reference, 1, &value, 1) == status_ok, "intermediate update",
          "refuses the required input %u", reference);
  }
}

static instance instantiate(fmu* unit, interface_kind kind, const char* token, int within_steps) {
  wrapped* w = allocate(1, sizeof *w);
  w->f = of(unit);
  w->within_steps = within_steps;
  uint32_t required[max_variables];
  size_t count = 0;
  for (int i = 0; within_steps && i < unit->model.variable_count; ++i) {
    if (unit->model.variables[i].settable_within) {
      required[count++] = unit->model.variables[i].reference;
    }
  }
  w->of = kind == model_exchange
              ? w->f->instantiate_exchange("checked", token, unit->resources, false, true, w,
                                           count_message)
              : w->f->instantiate_simulation("checked", token, unit->resources, false, true, false,
                                             false, required, count, w, count_message,
                                             within_steps ? update : NULL);
  if (!w->of) {
    free(w);
    return NULL;
  }
  return w;
}

static void free_instance(fmu* unit, instance i) {
  of(unit)->free_instance(in(i));
  free(i);
}
static int enter_initialization(fmu* unit, instance i, double start_s, double stop_s) {
  const bool stops = stop_s >= start_s;
  return of(unit)->enter_initialization(in(i), false, 0, start_s, stops, stops ? stop_s : 0);
}
static int exit_initialization(fmu* unit, instance i) {
  return of(unit)->exit_initialization(in(i));
}
static int terminate(fmu* unit, instance i) {
  return of(unit)->terminate(in(i));
}
static int reset(fmu* unit, instance i) {
  return of(unit)->reset(in(i));
}
static int get(fmu* unit, instance i, const unsigned* references, size_t count, double* values) {
  return of(unit)->get_float64(in(i), references, count, values, count);
}
static int set(fmu* unit, instance i, const unsigned* references, size_t count,
               const double* values) {
  return of(unit)->set_float64(in(i), references, count, values, count);
}
static int get_whole(fmu* unit, instance i, const unsigned* references, size_t count, int* values) {
  return of(unit)->get_int32(in(i), references, count, values, count);
}
static int set_logging(fmu* unit, instance i, int on, const char* category) {
  return of(unit)->set_debug_logging(in(i), on, category ? 1 : 0, &category);
}
static int get_state(fmu* unit, instance i, fmu_state* state) {
  return of(unit)->get_state(in(i), state);
}
static int set_state(fmu* unit, instance i, fmu_state state) {
  return of(unit)->set_state(in(i), state);
}
static int free_state(fmu* unit, instance i, fmu_state* state) {
  return of(unit)->free_state(in(i), state);
}
static int state_size(fmu* unit, instance i, fmu_state state, size_t* size) {
  return of(unit)->state_size(in(i), state, size);
}
static int serialize(fmu* unit, instance i, fmu_state state, char* bytes, size_t size) {
  return of(unit)->serialize(in(i), state, (uint8_t*)bytes, size);
}
static int deserialize(fmu* unit, instance i, const char* bytes, size_t size, fmu_state* state) {
  return of(unit)->deserialize(in(i), (const uint8_t*)bytes, size, state);
}
static int directional(fmu* unit, instance i, const unsigned* unknown, size_t unknowns,
                       const unsigned* known, size_t knowns, const double* seed,
                       double* sensitivity) {
  return of(unit)->directional(in(i), unknown, unknowns, known, knowns, seed, knowns, sensitivity,
                               unknowns);
}

static int step(fmu* unit, instance i, double t, double h, const input_course* courses,
                size_t count) {
  wrapped* w = i;
  for (size_t k = 0; k < count; ++k) {
    const uint32_t reference = courses[k].reference;
    const int status = w->f->set_float64(w->of, &reference, 1, &courses[k].derivative[0], 1);
    if (status != status_ok) {
      return status;
    }
  }
  w->courses = courses;
  w->course_count = count;
  w->step_begin = t;
  w->step_end = t + h;
  w->updates = 0;
  bool event = true, ends = true, early = true;
  double reached = -1;
  const int status = of(unit)->do_step(w->of, t, h, false, &event, &ends, &early, &reached);
  if (status == status_ok) {
    check(!event && !ends && !early, "fmi3DoStep", "asks for an event, the end or an early return");
    check(reached == t + h, "last successful time", "%g, not %g", reached, t + h);
    check(!w->within_steps || count == 0 || w->updates > 0, "intermediate update", "does not come");
  }
  return status;
}

static int output_derivative(fmu* unit, instance i, unsigned reference, int order, double* value) {
  const int32_t orders = order;
  return of(unit)->get_output_derivatives(in(i), &reference, 1, &orders, value, 1);
}
static int update_discrete(fmu* unit, instance i, int* again) {
  bool need = true, ends = true, nominals = true, values = true, next = true;
  double time = 0;
  const int status =
      of(unit)->update_discrete(in(i), &need, &ends, &nominals, &values, &next, &time);
  *again = need;
  return status;
}
static int enter_continuous(fmu* unit, instance i) {
  return of(unit)->enter_continuous(in(i));
}
static int enter_event(fmu* unit, instance i) {
  return of(unit)->enter_event(in(i));
}
static int set_time(fmu* unit, instance i, double t) {
  return of(unit)->set_time(in(i), t);
}
static int set_states(fmu* unit, instance i, const double* x, size_t count) {
  return of(unit)->set_states(in(i), x, count);
}
static int get_states(fmu* unit, instance i, double* x, size_t count) {
  size_t known = 0;
  check(
      of(unit)->state_count(in(i), &known) == status_ok && known == (size_t)unit->model.state_count,
      "fmi3GetNumberOfContinuousStates", "answers %zu", known);
  return of(unit)->get_states(in(i), x, count);
}
static int get_derivatives(fmu* unit, instance i, double* rate, size_t count) {
  return of(unit)->get_derivatives(in(i), rate, count);
}
static int get_nominals(fmu* unit, instance i, double* nominal, size_t count) {
  return of(unit)->get_nominals(in(i), nominal, count);
}
static int completed_step(fmu* unit, instance i, int* event) {
  bool enters = true, ends = true;
  const int status = of(unit)->completed_step(in(i), true, &enters, &ends);
  *event = enters || ends;
  return status;
}

/* Functions that no check calls: they must be there all the same. */
static const char* const others[] = {"fmi3GetFloat32",
                                     "fmi3SetFloat32",
                                     "fmi3GetInt8",
                                     "fmi3SetInt8",
                                     "fmi3GetUInt8",
                                     "fmi3SetUInt8",
                                     "fmi3GetInt16",
                                     "fmi3SetInt16",
                                     "fmi3GetUInt16",
                                     "fmi3SetUInt16",
                                     "fmi3SetInt32",
                                     "fmi3GetUInt32",
                                     "fmi3SetUInt32",
                                     "fmi3GetInt64",
                                     "fmi3SetInt64",
                                     "fmi3GetUInt64",
                                     "fmi3SetUInt64",
                                     "fmi3GetBoolean",
                                     "fmi3SetBoolean",
                                     "fmi3GetString",
                                     "fmi3SetString",
                                     "fmi3GetBinary",
                                     "fmi3SetBinary",
                                     "fmi3GetClock",
                                     "fmi3SetClock",
                                     "fmi3GetNumberOfVariableDependencies",
                                     "fmi3GetVariableDependencies",
                                     "fmi3GetAdjointDerivative",
                                     "fmi3EnterConfigurationMode",
                                     "fmi3ExitConfigurationMode",
                                     "fmi3GetIntervalDecimal",
                                     "fmi3GetIntervalFraction",
                                     "fmi3GetShiftDecimal",
                                     "fmi3GetShiftFraction",
                                     "fmi3SetIntervalDecimal",
                                     "fmi3SetIntervalFraction",
                                     "fmi3SetShiftDecimal",
                                     "fmi3SetShiftFraction",
                                     "fmi3EvaluateDiscreteStates",
                                     "fmi3GetEventIndicators",
                                     "fmi3GetNumberOfEventIndicators",
                                     "fmi3EnterStepMode",
                                     "fmi3InstantiateScheduledExecution",
                                     "fmi3ActivateModelPartition"};

/* A function pointer and an object pointer have the same bytes here (POSIX). */
#define BIND(member, name)                    \
  do {                                        \
    void* found = function_named(unit, name); \
    memcpy(&f->member, &found, sizeof found); \
  } while (0)

void bind_fmi3(fmu* unit) {
  functions_of_fmi3* f = allocate(1, sizeof *f);
  unit->functions = f;
  BIND(version, "fmi3GetVersion");
  BIND(instantiate_exchange, "fmi3InstantiateModelExchange");
  BIND(instantiate_simulation, "fmi3InstantiateCoSimulation");
  BIND(free_instance, "fmi3FreeInstance");
  BIND(set_debug_logging, "fmi3SetDebugLogging");
  BIND(enter_initialization, "fmi3EnterInitializationMode");
  BIND(exit_initialization, "fmi3ExitInitializationMode");
  BIND(terminate, "fmi3Terminate");
  BIND(reset, "fmi3Reset");
  BIND(get_float64, "fmi3GetFloat64");
  BIND(set_float64, "fmi3SetFloat64");
  BIND(get_int32, "fmi3GetInt32");
  BIND(get_state, "fmi3GetFMUState");
  BIND(set_state, "fmi3SetFMUState");
  BIND(free_state, "fmi3FreeFMUState");
  BIND(state_size, "fmi3SerializedFMUStateSize");
  BIND(serialize, "fmi3SerializeFMUState");
  BIND(deserialize, "fmi3DeserializeFMUState");
  BIND(directional, "fmi3GetDirectionalDerivative");
  BIND(get_output_derivatives, "fmi3GetOutputDerivatives");
  BIND(do_step, "fmi3DoStep");
  BIND(update_discrete, "fmi3UpdateDiscreteStates");
  BIND(enter_continuous, "fmi3EnterContinuousTimeMode");
  BIND(enter_event, "fmi3EnterEventMode");
  BIND(completed_step, "fmi3CompletedIntegratorStep");
  BIND(set_time, "fmi3SetTime");
  BIND(set_states, "fmi3SetContinuousStates");
  BIND(get_states, "fmi3GetContinuousStates");
  BIND(get_derivatives, "fmi3GetContinuousStateDerivatives");
  BIND(get_nominals, "fmi3GetNominalsOfContinuousStates");
  BIND(state_count, "fmi3GetNumberOfContinuousStates");
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    function_named(unit, others[i]);
  }
  check(strncmp(f->version(), "3.0", 3) == 0, "fmi3GetVersion", "answers %s", f->version());
  const fmu calls = {.instantiate = instantiate,
                     .free_instance = free_instance,
                     .enter_initialization = enter_initialization,
                     .exit_initialization = exit_initialization,
                     .terminate = terminate,
                     .reset = reset,
                     .get = get,
                     .set = set,
                     .get_whole = get_whole,
                     .set_logging = set_logging,
                     .get_state = get_state,
                     .set_state = set_state,
                     .free_state = free_state,
                     .state_size = state_size,
                     .serialize = serialize,
                     .deserialize = deserialize,
                     .directional = directional,
                     .step = step,
                     .output_derivative = output_derivative,
                     .update_discrete = update_discrete,
                     .enter_continuous = enter_continuous,
                     .enter_event = enter_event,
                     .set_time = set_time,
                     .set_states = set_states,
                     .get_states = get_states,
                     .get_derivatives = get_derivatives,
                     .get_nominals = get_nominals,
                     .completed_step = completed_step};
  const size_t first = offsetof(fmu, instantiate);
  memcpy((char*)unit + first, (const char*)&calls + first, sizeof calls - first);
}
