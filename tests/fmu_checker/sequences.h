/* Pieces that the checks put together: an instance that is ready to run, and a run. */
#ifndef FMU_CHECKER_SEQUENCES_H
#define FMU_CHECKER_SEQUENCES_H

#include "fmu.h"

enum { run_steps = 20 };

/* The call must answer OK; counts as a check of the rule. */
int expect_ok(int status, const char* rule);

/* Value references of the inputs, and of those that are not held within a step; of the outputs. */
size_t inputs_of(const fmu*, unsigned* references);
size_t outputs_of(const fmu*, unsigned* references);

/* An instance before its initialisation; gives up if there is none. */
instance make(fmu*, interface_kind, int within_steps);
/* Initialises it, at 0 s, with its start values. */
void initialise(fmu*, instance);

/* What the inputs do in a step of a run, in the order of the variables, with derivatives up to the
   degree for those that take them. Returns how many inputs there are. */
size_t courses_at(const fmu*, int step, int degree, input_course*);

/* Steps number `first` to `last` − 1 of a run whose inputs swing about their start values,
   continued within each step by polynomials of this degree; writes the outputs after each step,
   from `record` on, if that is not NULL. Returns where the record goes on. */
double* run(fmu*, instance, int first, int last, int degree, double* record);

/* Space for a run. */
double* new_record(const fmu*);
size_t record_size(const fmu*);
/* Bit for bit. */
int same_record(const fmu*, const double* one, const double* other, int first);

#endif
