/* What the checks need of a model description: read by a scanner of tags and attributes that knows
   just the XML that FMUs without annotations have. */
#ifndef FMU_CHECKER_DESCRIPTION_H
#define FMU_CHECKER_DESCRIPTION_H

enum { max_variables = 512, max_name = 128, no_variable = -1 };

typedef struct {
  char name[max_name];
  unsigned reference;
  char causality[32];
  int has_start;
  double start;
  double nominal;      /* 1 where none is told */
  double range;        /* max − min; 0 where there is none */
  int derivative_of;   /* index of a variable, or no_variable */
  int settable_within; /* FMI 3: intermediateUpdate; FMI 2: takes derivatives */
} variable;

typedef struct {
  int version; /* 2 or 3 */
  char token[max_name];
  char co_simulation[max_name]; /* model identifiers; empty: not offered */
  char model_exchange[max_name];
  double step_s; /* of the default experiment */
  int variable_count;
  variable variables[max_variables];
  int output_count;
  int outputs[max_variables];                /* indices, as listed in the model structure */
  int depends[max_variables][max_variables]; /* by output in that list and variable */
  int state_count;
  int derivatives[max_variables]; /* indices, as listed in the model structure */
} description;

/* Gives up if there is none. */
const variable* variable_of(const description*, unsigned reference);

/* Gives up where the file is not as expected. */
void read_description(const char* file, description* into);

#endif
