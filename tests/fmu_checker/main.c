/* Checks FMUs that this project exports against the standards, in C alone: it shares no code with
   the importer, nor any header.

     fmu_checker DIRECTORY         all checks of the FMU unpacked there
     fmu_checker DIRECTORY DEGREE  the outputs of a run with inputs of this degree, in bits

   Exit codes: 0 all checks hold, 1 some do not, 2 the FMU cannot be checked. */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "checks.h"
#include "sequences.h"

static void print_run(fmu* unit, int degree) {
  double* record = new_record(unit);
  instance i = make(unit, co_simulation, degree > 0);
  initialise(unit, i);
  run(unit, i, 0, run_steps, degree, record);
  unit->free_instance(unit, i);
  for (size_t k = 0; k < record_size(unit); ++k) {
    printf("%a\n", record[k]);
  }
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
