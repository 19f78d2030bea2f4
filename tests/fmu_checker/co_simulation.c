/* Runs of co-simulation: the same again after a reset, beside a second instance, from a state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "checks.h"
#include "sequences.h"

enum { middle = run_steps / 2 };
/* 0: inputs are held. */
static const int degrees[] = {0, 1, 2, 4};

static void check_reset_and_second_instance(fmu* unit, int degree, const double* expected) {
  instance one = make(unit, co_simulation, degree > 0);
  instance other = make(unit, co_simulation, degree > 0);
  double* first = new_record(unit);
  double* second = new_record(unit);
  initialise(unit, one);
  run(unit, one, 0, middle, degree, NULL);
  expect_ok(unit->reset(unit, one), "reset");
  initialise(unit, one);
  initialise(unit, other);
  double* first_at = first;
  double* second_at = second;
  for (int n = 0; n < run_steps; ++n) {
    first_at = run(unit, one, n, n + 1, degree, first_at);
    second_at = run(unit, other, n, n + 1, degree, second_at);
  }
  check(same_record(unit, first, expected, 0), "reset", "a run after it differs from the first");
  check(same_record(unit, second, expected, 0), "two instances", "one changes the other");
  unit->free_instance(unit, one);
  unit->free_instance(unit, other);
  free(first);
  free(second);
}

/* From the middle of the run, as often as one likes. */
static void check_states(fmu* unit, int degree, const double* expected) {
  instance i = make(unit, co_simulation, degree > 0);
  double* record = new_record(unit);
  double* rest = record + record_size(unit) / run_steps * middle;
  initialise(unit, i);
  run(unit, i, 0, middle, degree, NULL);
  fmu_state state = NULL;
  if (!expect_ok(unit->get_state(unit, i, &state), "get the state")) {
    return;
  }
  for (int repeat = 0; repeat < 2; ++repeat) {
    run(unit, i, middle, run_steps, degree, rest);
    check(same_record(unit, record, expected, middle), "set the state",
          "run %d from the state differs", repeat);
    expect_ok(unit->set_state(unit, i, state), "set the state");
  }

  size_t size = 0;
  expect_ok(unit->state_size(unit, i, state, &size), "size of the state");
  char* bytes = allocate(size, 1);
  expect_ok(unit->serialize(unit, i, state, bytes, size), "serialize");
  expect_ok(unit->free_state(unit, i, &state), "free the state");
  check(state == NULL, "free the state", "leaves a pointer");
  unit->free_instance(unit, i);

  i = make(unit, co_simulation, degree > 0);
  fmu_state read = NULL;
  expect_ok(unit->deserialize(unit, i, bytes, size, &read), "deserialize in another instance");
  expect_ok(unit->set_state(unit, i, read), "set a state that was read");
  memset(record, 0, record_size(unit) * sizeof *record);
  run(unit, i, middle, run_steps, degree, rest);
  check(same_record(unit, record, expected, middle), "deserialize", "the run from there differs");
  expect_ok(unit->get_state(unit, i, &read), "get the state into one that is there");
  expect_ok(unit->free_state(unit, i, &read), "free the state");
  unit->free_instance(unit, i);
  free(bytes);
  free(record);
}

/* A step of size h, or two of h/2 with the inputs held: both are legal, and near to each other. */
static void check_variable_steps(fmu* unit) {
  instance i = make(unit, co_simulation, 0);
  initialise(unit, i);
  const double h = unit->model.step_s;
  expect_ok(unit->step(unit, i, 0, h, NULL, 0), "step");
  expect_ok(unit->step(unit, i, h, h / 2, NULL, 0), "a shorter step");
  expect_ok(unit->step(unit, i, 1.5 * h, 2 * h, NULL, 0), "a longer step");
  expect_ok(unit->terminate(unit, i), "terminate");
  unsigned outputs[max_variables];
  double values[max_variables];
  const size_t count = outputs_of(unit, outputs);
  expect_ok(unit->get(unit, i, outputs, count, values), "get outputs after the end");
  unit->free_instance(unit, i);
}

static void check_output_derivatives(fmu* unit) {
  instance i = make(unit, co_simulation, 0);
  initialise(unit, i);
  run(unit, i, 0, middle, 0, NULL);
  for (int k = 0; k < unit->model.output_count; ++k) {
    const variable* slope = &unit->model.variables[unit->model.outputs[k]];
    if (slope->derivative_of == no_variable) {
      continue;
    }
    const variable* output = &unit->model.variables[slope->derivative_of];
    double by_output = 0;
    double by_call = 1;
    expect_ok(unit->get(unit, i, &slope->reference, 1, &by_output), "get an output");
    expect_ok(unit->output_derivative(unit, i, output->reference, 1, &by_call),
              "get an output derivative");
    check(by_call == by_output, "output derivative", "of %s is %g, not %s = %g", output->name,
          by_call, slope->name, by_output);
  }
  unit->free_instance(unit, i);
}

void check_co_simulation(fmu* unit) {
  set_topic("co-simulation");
  for (size_t d = 0; d < sizeof degrees / sizeof *degrees; ++d) {
    double* expected = new_record(unit);
    instance i = make(unit, co_simulation, degrees[d] > 0);
    initialise(unit, i);
    run(unit, i, 0, run_steps, degrees[d], expected);
    expect_ok(unit->terminate(unit, i), "terminate");
    unit->free_instance(unit, i);
    check_reset_and_second_instance(unit, degrees[d], expected);
    check_states(unit, degrees[d], expected);
    free(expected);
  }
  check_variable_steps(unit);
  check_output_derivatives(unit);
}
