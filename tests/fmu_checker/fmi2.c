/* FMI 2.0, declared here from the standard, apart from all other declarations in this project. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fmu.h"

typedef void* component;
typedef int boolean;
typedef const char* string;

typedef struct {
  void (*logger)(void*, string, int status, string category, string message, ...);
  void* (*allocate_memory)(size_t, size_t);
  void (*free_memory)(void*);
  void (*step_finished)(void*, int);
  void* environment;
} callback_functions;

typedef struct {
  boolean new_discrete_states_needed, terminate_simulation, nominals_changed, values_changed,
      next_event_time_defined;
  double next_event_time;
} event_info;

typedef struct {
  string (*types_platform)(void);
  string (*version)(void);
  component (*instantiate)(string, int type, string guid, string resources,
                           const callback_functions*, boolean visible, boolean logging);
  void (*free_instance)(component);
  int (*set_debug_logging)(component, boolean, size_t, const string[]);
  int (*setup_experiment)(component, boolean, double tolerance, double start, boolean, double stop);
  int (*enter_initialization)(component);
  int (*exit_initialization)(component);
  int (*terminate)(component);
  int (*reset)(component);
  int (*get_real)(component, const unsigned[], size_t, double[]);
  int (*set_real)(component, const unsigned[], size_t, const double[]);
  int (*get_integer)(component, const unsigned[], size_t, int[]);
  int (*get_state)(component, fmu_state*);
  int (*set_state)(component, fmu_state);
  int (*free_state)(component, fmu_state*);
  int (*state_size)(component, fmu_state, size_t*);
  int (*serialize)(component, fmu_state, char[], size_t);
  int (*deserialize)(component, const char[], size_t, fmu_state*);
  int (*directional)(component, const unsigned[], size_t, const unsigned[], size_t, const double[],
                     double[]);
  int (*set_input_derivatives)(component, const unsigned[], size_t, const int[], const double[]);
  int (*get_output_derivatives)(component, const unsigned[], size_t, const int[], double[]);
  int (*do_step)(component, double, double, boolean);
  int (*get_real_status)(component, int kind, double*);
  int (*new_discrete_states)(component, event_info*);
  int (*enter_continuous)(component);
  int (*enter_event)(component);
  int (*completed_step)(component, boolean, boolean*, boolean*);
  int (*set_time)(component, double);
  int (*set_states)(component, const double[], size_t);
  int (*get_states)(component, double[], size_t);
  int (*get_derivatives)(component, double[], size_t);
  int (*get_nominals)(component, double[], size_t);
} functions_of_fmi2;

static functions_of_fmi2* of(fmu* unit) {
  return unit->functions;
}

static void count_message(void* environment, string name, int status, string category,
                          string message, ...) {
  (void)environment;
  (void)status;
  ++messages_logged;
  check(name && category && message, "log message", "has an argument that is NULL");
}

/* The callbacks stay valid for longer than the instances. */
static const callback_functions callbacks = {count_message, calloc, free, NULL, NULL};

static instance instantiate(fmu* unit, interface_kind kind, const char* token, int within_steps) {
  (void)within_steps;
  const int fmi2_type = kind == model_exchange ? 0 : 1;
  return of(unit)->instantiate("checked", fmi2_type, token, unit->resources, &callbacks, 0, 1);
}

static void free_instance(fmu* unit, instance i) {
  of(unit)->free_instance(i);
}

static int enter_initialization(fmu* unit, instance i, double start_s, double stop_s) {
  const int status = of(unit)->setup_experiment(i, 0, 0, start_s, stop_s >= start_s,
                                                stop_s >= start_s ? stop_s : 0);
  return status == status_ok ? of(unit)->enter_initialization(i) : status;
}

static int exit_initialization(fmu* unit, instance i) {
  return of(unit)->exit_initialization(i);
}
static int terminate(fmu* unit, instance i) {
  return of(unit)->terminate(i);
}
static int reset(fmu* unit, instance i) {
  return of(unit)->reset(i);
}
static int get(fmu* unit, instance i, const unsigned* references, size_t count, double* values) {
  return of(unit)->get_real(i, references, count, values);
}
static int set(fmu* unit, instance i, const unsigned* references, size_t count,
               const double* values) {
  return of(unit)->set_real(i, references, count, values);
}
static int get_whole(fmu* unit, instance i, const unsigned* references, size_t count, int* values) {
  return of(unit)->get_integer(i, references, count, values);
}
static int set_logging(fmu* unit, instance i, int on, const char* category) {
  return of(unit)->set_debug_logging(i, on, category ? 1 : 0, &category);
}
static int get_state(fmu* unit, instance i, fmu_state* state) {
  return of(unit)->get_state(i, state);
}
static int set_state(fmu* unit, instance i, fmu_state state) {
  return of(unit)->set_state(i, state);
}
static int free_state(fmu* unit, instance i, fmu_state* state) {
  return of(unit)->free_state(i, state);
}
static int state_size(fmu* unit, instance i, fmu_state state, size_t* size) {
  return of(unit)->state_size(i, state, size);
}
static int serialize(fmu* unit, instance i, fmu_state state, char* bytes, size_t size) {
  return of(unit)->serialize(i, state, bytes, size);
}
static int deserialize(fmu* unit, instance i, const char* bytes, size_t size, fmu_state* state) {
  return of(unit)->deserialize(i, bytes, size, state);
}
static int directional(fmu* unit, instance i, const unsigned* unknown, size_t unknowns,
                       const unsigned* known, size_t knowns, const double* seed,
                       double* sensitivity) {
  return of(unit)->directional(i, unknown, unknowns, known, knowns, seed, sensitivity);
}

static int step(fmu* unit, instance i, double t, double h, const input_course* courses,
                size_t count) {
  for (size_t k = 0; k < count; ++k) {
    const unsigned reference = courses[k].reference;
    int status = of(unit)->set_real(i, &reference, 1, &courses[k].derivative[0]);
    for (int order = 1; order < input_orders && status == status_ok; ++order) {
      if (courses[k].derivative[order] != 0) {
        status = of(unit)->set_input_derivatives(i, &reference, 1, &order,
                                                 &courses[k].derivative[order]);
      }
    }
    if (status != status_ok) {
      return status;
    }
  }
  const int status = of(unit)->do_step(i, t, h, 0);
  if (status == status_ok) {
    double reached = 0;
    const int asked = of(unit)->get_real_status(i, 2 /* fmi2LastSuccessfulTime */, &reached);
    check(asked == status_ok && reached == t + h, "last successful time", "%g, not %g", reached,
          t + h);
  }
  return status;
}

static int output_derivative(fmu* unit, instance i, unsigned reference, int order, double* value) {
  return of(unit)->get_output_derivatives(i, &reference, 1, &order, value);
}

static int update_discrete(fmu* unit, instance i, int* again) {
  event_info info;
  memset(&info, 0xff, sizeof info);
  const int status = of(unit)->new_discrete_states(i, &info);
  *again = info.new_discrete_states_needed;
  return status;
}
static int enter_continuous(fmu* unit, instance i) {
  return of(unit)->enter_continuous(i);
}
static int enter_event(fmu* unit, instance i) {
  return of(unit)->enter_event(i);
}
static int set_time(fmu* unit, instance i, double t) {
  return of(unit)->set_time(i, t);
}
static int set_states(fmu* unit, instance i, const double* x, size_t count) {
  return of(unit)->set_states(i, x, count);
}
static int get_states(fmu* unit, instance i, double* x, size_t count) {
  return of(unit)->get_states(i, x, count);
}
static int get_derivatives(fmu* unit, instance i, double* rate, size_t count) {
  return of(unit)->get_derivatives(i, rate, count);
}
static int get_nominals(fmu* unit, instance i, double* nominal, size_t count) {
  return of(unit)->get_nominals(i, nominal, count);
}
static int completed_step(fmu* unit, instance i, int* event) {
  boolean ends = 1;
  const int status = of(unit)->completed_step(i, 1, event, &ends);
  *event = *event || ends;
  return status;
}

/* Functions that no check calls: they must be there all the same. */
static const char* const others[] = {
    "fmi2SetInteger",       "fmi2GetBoolean",         "fmi2SetBoolean",     "fmi2GetString",
    "fmi2SetString",        "fmi2GetEventIndicators", "fmi2CancelStep",     "fmi2GetStatus",
    "fmi2GetIntegerStatus", "fmi2GetBooleanStatus",   "fmi2GetStringStatus"};

/* A function pointer and an object pointer have the same bytes here (POSIX). */
#define BIND(member, name)                    \
  do {                                        \
    void* found = function_named(unit, name); \
    memcpy(&f->member, &found, sizeof found); \
  } while (0)

void bind_fmi2(fmu* unit) {
  functions_of_fmi2* f = allocate(1, sizeof *f);
  unit->functions = f;
  BIND(types_platform, "fmi2GetTypesPlatform");
  BIND(version, "fmi2GetVersion");
  BIND(instantiate, "fmi2Instantiate");
  BIND(free_instance, "fmi2FreeInstance");
  BIND(set_debug_logging, "fmi2SetDebugLogging");
  BIND(setup_experiment, "fmi2SetupExperiment");
  BIND(enter_initialization, "fmi2EnterInitializationMode");
  BIND(exit_initialization, "fmi2ExitInitializationMode");
  BIND(terminate, "fmi2Terminate");
  BIND(reset, "fmi2Reset");
  BIND(get_real, "fmi2GetReal");
  BIND(set_real, "fmi2SetReal");
  BIND(get_integer, "fmi2GetInteger");
  BIND(get_state, "fmi2GetFMUstate");
  BIND(set_state, "fmi2SetFMUstate");
  BIND(free_state, "fmi2FreeFMUstate");
  BIND(state_size, "fmi2SerializedFMUstateSize");
  BIND(serialize, "fmi2SerializeFMUstate");
  BIND(deserialize, "fmi2DeSerializeFMUstate");
  BIND(directional, "fmi2GetDirectionalDerivative");
  BIND(set_input_derivatives, "fmi2SetRealInputDerivatives");
  BIND(get_output_derivatives, "fmi2GetRealOutputDerivatives");
  BIND(do_step, "fmi2DoStep");
  BIND(get_real_status, "fmi2GetRealStatus");
  BIND(new_discrete_states, "fmi2NewDiscreteStates");
  BIND(enter_continuous, "fmi2EnterContinuousTimeMode");
  BIND(enter_event, "fmi2EnterEventMode");
  BIND(completed_step, "fmi2CompletedIntegratorStep");
  BIND(set_time, "fmi2SetTime");
  BIND(set_states, "fmi2SetContinuousStates");
  BIND(get_states, "fmi2GetContinuousStates");
  BIND(get_derivatives, "fmi2GetDerivatives");
  BIND(get_nominals, "fmi2GetNominalsOfContinuousStates");
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    function_named(unit, others[i]);
  }
  check(strcmp(f->version(), "2.0") == 0, "fmi2GetVersion", "answers %s", f->version());
  check(strcmp(f->types_platform(), "default") == 0, "fmi2GetTypesPlatform", "answers %s",
        f->types_platform());
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
