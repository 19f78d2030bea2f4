/* Checks FMUs that this project exports against the standards, in C alone: it shares no code with
   the importer, nor any header.

     fmu_checker DIRECTORY         all checks of the FMU unpacked there
     fmu_checker DIRECTORY DEGREE  a run with inputs of this degree: per step what the inputs and
                                   their derivatives are at its beginning, and the outputs at its
   end

   Exit codes: 0 all checks hold, 1 some do not, 2 the FMU cannot be checked. */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "checks.h"
#include "sequences.h"

static void print_run(fmu* unit, int degree) {
  double* record = new_record(unit);
  const size_t outputs = record_size(unit) / run_steps;
  instance i = make(unit, co_simulation, degree > 0);
  initialise(unit, i);
  printf("%a\n", unit->model.step_s);
  for (int n = 0; n < run_steps; ++n) {
    input_course courses[max_variables];
    const size_t inputs = courses_at(unit, n, degree, courses);
    for (size_t k = 0; k < inputs; ++k) {
      for (int order = 0; order < input_orders; ++order) {
        printf("%a ", courses[k].derivative[order]);
      }
    }
    run(unit, i, n, n + 1, degree, record);
    for (size_t k = 0; k < outputs; ++k) {
      printf("%a ", record[k]);
    }
    printf("\n");
  }
  unit->free_instance(unit, i);
  free(record);
}

static void check_all(fmu* unit) {
  const int exchange = unit->model.model_exchange[0] != 0;
  check_values(unit);
  check_co_simulation(unit);
  check_derivatives(unit, co_simulation);
  check_refusals(unit, co_simulation);
  if (exchange) {
    check_model_exchange(unit);
    check_derivatives(unit, model_exchange);
    check_refusals(unit, model_exchange);
  }
  printf("%d checks of FMI %d.0, %d failed\n", checks_made(), unit->model.version, checks_failed());
}

int main(int count, char** arguments) {
  if (count < 2 || count > 3) {
    give_up("usage: fmu_checker DIRECTORY [DEGREE]");
  }
  fmu* unit = load_fmu(arguments[1]);
  if (count == 3) {
    print_run(unit, atoi(arguments[2]));
  } else {
    check_all(unit);
  }
  unload_fmu(unit);
  return checks_failed() > 0;
}
