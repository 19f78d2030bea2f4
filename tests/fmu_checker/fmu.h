/* An FMU of either version behind one set of calls, so that every check is written once.

   Statuses have the numbers that both versions give them. A call counts the messages that the FMU
   logs meanwhile (messages_logged). */
#ifndef FMU_CHECKER_FMU_H
#define FMU_CHECKER_FMU_H

#include <stddef.h>

#include "description.h"

enum { status_ok = 0, status_warning = 1, status_discard = 2, status_error = 3 };
typedef enum { co_simulation, model_exchange } interface_kind;

/* u(t) = Σ_k derivative[k]/k! (t − t_n)^k of one input over one step. */
enum { input_orders = 5 };
typedef struct {
  unsigned reference;
  double derivative[input_orders];
} input_course;

typedef void* instance;
typedef void* fmu_state;

typedef struct fmu fmu;
struct fmu {
  description model;
  char resources[4096];
  void* library;
  void* functions; /* of the version */

  instance (*instantiate)(fmu*, interface_kind, const char* token, int within_steps);
  void (*free_instance)(fmu*, instance);
  int (*enter_initialization)(fmu*, instance, double start_s,
                              double stop_s); /* stop < start: none */
  int (*exit_initialization)(fmu*, instance);
  int (*terminate)(fmu*, instance);
  int (*reset)(fmu*, instance);
  int (*get)(fmu*, instance, const unsigned*, size_t, double*);
  int (*set)(fmu*, instance, const unsigned*, size_t, const double*);
  int (*get_whole)(fmu*, instance, const unsigned*, size_t, int*);  /* integers */
  int (*set_logging)(fmu*, instance, int on, const char* category); /* NULL: all */

  int (*get_state)(fmu*, instance, fmu_state*);
  int (*set_state)(fmu*, instance, fmu_state);
  int (*free_state)(fmu*, instance, fmu_state*);
  int (*state_size)(fmu*, instance, fmu_state, size_t*);
  int (*serialize)(fmu*, instance, fmu_state, char*, size_t);
  int (*deserialize)(fmu*, instance, const char*, size_t, fmu_state*);
  int (*directional)(fmu*, instance, const unsigned* unknown, size_t, const unsigned* known, size_t,
                     const double* seed, double* sensitivity);

  /* Co-simulation. Courses: FMI 2 by input derivatives, FMI 3 by intermediate update if the
     instance was made with `within_steps`; else the inputs are held at their beginning. */
  int (*step)(fmu*, instance, double t, double h, const input_course*, size_t);
  int (*output_derivative)(fmu*, instance, unsigned reference, int order, double*);

  /* Model exchange. */
  int (*update_discrete)(fmu*, instance, int* again);
  int (*enter_continuous)(fmu*, instance);
  int (*enter_event)(fmu*, instance);
  int (*set_time)(fmu*, instance, double);
  int (*set_states)(fmu*, instance, const double*, size_t);
  int (*get_states)(fmu*, instance, double*, size_t);
  int (*get_derivatives)(fmu*, instance, double*, size_t);
  int (*get_nominals)(fmu*, instance, double*, size_t);
  int (*completed_step)(fmu*, instance, int* event);
};

/* Loads the FMU unpacked in a directory. */
fmu* load_fmu(const char* directory);
void unload_fmu(fmu*);

/* Fills in the functions of a version; gives up where the library lacks one of the standard. */
void bind_fmi2(fmu*);
void bind_fmi3(fmu*);
/* Looks a function of the library up, or gives up. */
void* function_named(fmu*, const char* name);

extern int messages_logged;
double course_value(const input_course*, double since_s);

#endif
