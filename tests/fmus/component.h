/* What the test FMUs are made of: a table of variables and a few functions of a model (one source
   file each), and below them what both versions of FMI share: memory, phases, a Runge-Kutta stepper.

   All values are doubles in one array, by the variable's place in the table; value references are
   `first_reference` larger, so that whoever takes one for the other is found out. */
#ifndef MACROSTEP_TESTS_FMUS_COMPONENT_H
#define MACROSTEP_TESTS_FMUS_COMPONENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define EXPORTED __attribute__((visibility("default")))

/* What a build of an FMU switches on; all off is a plain one. */
#ifndef WITH_CO_SIMULATION
#define WITH_CO_SIMULATION 0
#endif
#ifndef WITH_MODEL_EXCHANGE
#define WITH_MODEL_EXCHANGE 0
#endif
#ifndef WITH_STATE /* get, set and serialise the FMU state */
#define WITH_STATE 0
#endif
#ifndef WITH_INPUT_DERIVATIVES /* FMI 2: input derivatives; FMI 3: intermediate update */
#define WITH_INPUT_DERIVATIVES 0
#endif
#ifndef WITH_OUTPUT_DERIVATIVES /* the first */
#define WITH_OUTPUT_DERIVATIVES 0
#endif
#ifndef WITH_DIRECTIONAL_DERIVATIVES
#define WITH_DIRECTIONAL_DERIVATIVES 0
#endif
#ifndef WITH_EVENT_MODE /* FMI 3, co-simulation */
#define WITH_EVENT_MODE 0
#endif
#ifndef ONCE_PER_PROCESS /* says so, and aborts on the second instance */
#define ONCE_PER_PROCESS 0
#endif
#ifndef ABORT_SECOND /* aborts on the second instance without having said so */
#define ABORT_SECOND 0
#endif
#ifndef WITH_LOG_CATEGORIES /* declares some, and says nothing unless one is switched on */
#define WITH_LOG_CATEGORIES 0
#endif
#ifndef WRONG_ENVIRONMENT /* gives callbacks the environment (void*)1, too */
#define WRONG_ENVIRONMENT 0
#endif
#ifndef EXACT_OUTPUTS /* states that are outputs have an exact start, and cannot be set */
#define EXACT_OUTPUTS 0
#endif
#ifndef CRASH_AFTER_END /* where a value is read after terminate */
#define CRASH_AFTER_END 0
#endif
#ifndef NO_STATE_AT_FIRST /* it cannot be saved before the initialisation */
#define NO_STATE_AT_FIRST 0
#endif
#ifndef INPUTS_TAKEN_BY_STEPS /* until then co-simulation reads what they were before */
#define INPUTS_TAKEN_BY_STEPS 0
#endif
#ifndef NO_UPDATES /* FMI 3: declares intermediate updates and makes none */
#define NO_UPDATES 0
#endif
#ifndef NO_DEBUG_LOGGING /* to switch it is an error */
#define NO_DEBUG_LOGGING 0
#endif
#ifndef ROUND_DOWN /* leaves the processor rounding downwards wherever it calculates */
#define ROUND_DOWN 0
#endif
#ifndef WITH_CLOCK /* FMI 3: has one, and co-simulation makes no instance without event mode */
#define WITH_CLOCK 0
#endif
#ifndef WITHOUT_DO_STEP /* fmi2DoStep, fmi3DoStep are not exported */
#define WITHOUT_DO_STEP 0
#endif
#ifndef IDENTIFIER
#define IDENTIFIER "model"
#endif

enum { max_values = 32, first_reference = 10, max_order = 4, text_bytes = 64 };

typedef enum { type_real, type_integer, type_boolean, type_string, type_enumeration } value_type;
typedef enum { is_parameter, is_input, is_output, is_local } causality;

typedef struct {
  const char* name;
  value_type type;
  causality causality;
  const char* unit;     /* 0: none */
  double start;         /* of parameters and inputs */
  int derivative_of;    /* place of the state that this one derives; −1: of none */
  const char* start_text;  /* of a string */
  bool discrete;        /* a real that only changes at events */
} variable;

/* A step's end, worst last. */
typedef enum {
  step_ok,
  step_early,   /* ended at `reached` for an event */
  step_discard, /* got as far as `reached` */
  step_error,
  step_fatal,
  step_pending
} step_end;

typedef struct component component;

typedef struct {
  const char* name;
  const variable* variables;
  size_t variable_count;
  size_t indicator_count;
  /* Sets the states from the parameters. */
  void (*start)(double* value);
  /* Sets outputs and derivatives from states, inputs and parameters. */
  void (*evaluate)(double* value, double time);
  /* The following may be 0. */
  void (*evaluate_text)(char text[][text_bytes]);
  void (*indicators)(const double* value, double* indicator);
  bool (*event)(double* value, double time); /* whether a state has changed */
  double (*next_event)(const double* value, double time); /* infinite: none */
  step_end (*disturb)(component*, double start, double size, double* reached);
  bool (*disturb_start)(component*); /* at the end of initialisation; false: error */
  void (*disturb_end)(component*, bool freed); /* in terminate, and before it is freed */
  const char* enumeration_items; /* names separated by spaces, values from 0 */
} model;

extern const model the_model;

typedef enum { instantiated, initializing, event_mode, continuous_mode, step_mode, terminated } phase;

/* All that a state of the FMU is. */
typedef struct {
  phase phase;
  double time;
  double value[max_values];
  double taken[max_values]; /* at the end of the last step */
  double slope[max_values][max_order]; /* of inputs: derivatives from the first one on */
  char text[max_values][text_bytes];
} memory;

struct component {
  memory now;
  bool co_simulation;
  bool event_mode_used;
  bool early_return_allowed;
  bool says_errors;          /* in its log */
  bool says_all;             /* there */
  bool may_set_intermediate; /* inside the callback of an intermediate update */
  void (*at_stage)(component*, double time, double step_end); /* may be 0 */
  void (*log)(component*, const char* message);
  void* environment;
  void* more; /* of the version */
};

/* 0 if it may not be: a second instance of one that may be there once aborts instead. */
component* new_component(bool co_simulation);
void reset_component(component*);
void free_component(component*);

/* Place of a reference; −1 if there is none. */
int place_of(unsigned reference);
bool may_set(const component*, int place);
bool may_get(const component*);
double value_at(const component*, int place);
void refresh(component*);
void leave_rounding(void);
void set_text(component*, int place, const char* text);
void switch_log(component*, bool on, size_t count, const char* const categories[]);

/* A table of states: place of the i-th state and of its derivative. */
size_t state_count(void);
int state_place(size_t index);
int derivative_place(size_t index);

step_end step_component(component*, double start, double size, double* reached);

/* Directional derivative of a linear model. False: a reference is unknown. */
bool directional_derivative(component*, const unsigned* unknown, size_t unknown_count,
                            const unsigned* known, size_t known_count, const double* seed,
                            double* sensitivity);

/* The model description, for the build. */
EXPORTED void describe_model(FILE* out);

#endif
