/* Calls that must be refused. Each is made on an instance that has been reset, must answer Error
   (or Discard where the instance can go on), log why, and leave the instance resettable. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "checks.h"
#include "sequences.h"

static const unsigned no_reference = 1000000;

static void refused(fmu* unit, instance i, int status, const char* what) {
  check(status == status_error, "illegal call", "%s: the status is %d", what, status);
  check(messages_logged > 0, "illegal call", "%s: nothing is logged", what);
  messages_logged = 0;
  expect_ok(unit->reset(unit, i), "reset after an error");
}

static int output_reference(const fmu* unit, unsigned* reference) {
  unsigned all[max_variables];
  const size_t count = outputs_of(unit, all);
  *reference = count ? all[0] : 0;
  return count > 0;
}

static const variable* parameter_of(const fmu* unit) {
  for (int k = 0; k < unit->model.variable_count; ++k) {
    if (strcmp(unit->model.variables[k].causality, "parameter") == 0) {
      return &unit->model.variables[k];
    }
  }
  return NULL;
}

static void check_order(fmu* unit, instance i, interface_kind kind) {
  refused(unit, i, unit->exit_initialization(unit, i),
          "exit an initialisation before it is entered");
  refused(unit, i, unit->terminate(unit, i), "terminate before the initialisation");
  unit->enter_initialization(unit, i, 0, -1);
  refused(unit, i, unit->enter_initialization(unit, i, 0, -1), "enter the initialisation twice");
  refused(unit, i, unit->enter_initialization(unit, i, NAN, -1), "begin at no time");
  double x[max_variables] = {0};
  const size_t states = (size_t)unit->model.state_count;
  int event = 0;
  if (kind == co_simulation) {
    refused(unit, i, unit->step(unit, i, 0, unit->model.step_s, NULL, 0),
            "step before the initialisation");
    initialise(unit, i);
    refused(unit, i, unit->enter_continuous(unit, i), "a mode of model exchange");
    initialise(unit, i);
    refused(unit, i, unit->get_derivatives(unit, i, x, states), "derivatives of model exchange");
  } else {
    initialise(unit, i);
    refused(unit, i, unit->step(unit, i, 0, unit->model.step_s, NULL, 0),
            "a step of co-simulation");
    initialise(unit, i);
    refused(unit, i, unit->completed_step(unit, i, &event), "an integrator step in the event mode");
    initialise(unit, i);
    refused(unit, i, unit->get_states(unit, i, x, states + 1), "more states than there are");
  }
  initialise(unit, i);
  expect_ok(unit->terminate(unit, i), "terminate");
  refused(unit, i, unit->terminate(unit, i), "terminate twice");
}

static void check_values_refused(fmu* unit, instance i) {
  double value = 0;
  int whole = 0;
  unsigned output = 0;
  initialise(unit, i);
  refused(unit, i, unit->get(unit, i, &no_reference, 1, &value), "get an unknown variable");
  initialise(unit, i);
  refused(unit, i, unit->get(unit, i, &no_reference, 1, NULL), "get into nothing");
  initialise(unit, i);
  refused(unit, i, unit->set(unit, i, &no_reference, 1, &value), "set an unknown variable");
  if (output_reference(unit, &output)) {
    initialise(unit, i);
    refused(unit, i, unit->set(unit, i, &output, 1, &value), "set an output");
    initialise(unit, i);
    refused(unit, i, unit->get_whole(unit, i, &output, 1, &whole), "get a real as an integer");
  }
  const variable* parameter = parameter_of(unit);
  if (parameter) {
    initialise(unit, i);
    refused(unit, i, unit->set(unit, i, &parameter->reference, 1, &parameter->start),
            "set a parameter after the initialisation");
    value = NAN;
    expect_ok(unit->set(unit, i, &parameter->reference, 1, &value), "set a parameter");
    refused(unit, i, unit->enter_initialization(unit, i, 0, -1), "a parameter that is no number");
  }
  refused(unit, i, unit->set_logging(unit, i, 1, "noSuchCategory"), "an unknown log category");
  expect_ok(unit->set_logging(unit, i, 1, "logStatusError"), "a log category");
  expect_ok(unit->set_logging(unit, i, 1, NULL), "all log categories");
}

static void check_states_refused(fmu* unit, instance i) {
  fmu_state state = NULL;
  char bytes[16] = {0};
  refused(unit, i, unit->set_state(unit, i, NULL), "set no state");
  refused(unit, i, unit->deserialize(unit, i, bytes, sizeof bytes, &state),
          "bytes that are no state");
  refused(unit, i, unit->deserialize(unit, i, bytes, 3, &state), "three bytes");
  check(state == NULL, "illegal call", "a state comes from bytes that are none");
  initialise(unit, i);
  expect_ok(unit->get_state(unit, i, &state), "get the state");
  size_t size = 0;
  expect_ok(unit->state_size(unit, i, state, &size), "size of the state");
  refused(unit, i, unit->serialize(unit, i, state, bytes, 8), "too few bytes for a state");
  char* cut = allocate(size, 1);
  expect_ok(unit->serialize(unit, i, state, cut, size), "serialize");
  fmu_state read = NULL;
  if (unit->deserialize(unit, i, cut, size - 8, &read) == status_ok) {
    refused(unit, i, unit->set_state(unit, i, read), "a state with its end cut off");
    expect_ok(unit->free_state(unit, i, &read), "free the state");
  } else {
    messages_logged = 0;
    expect_ok(unit->reset(unit, i), "reset after an error");
  }
  /* After an error the instance goes on from a state. */
  initialise(unit, i);
  unit->exit_initialization(unit, i);
  messages_logged = 0;
  expect_ok(unit->set_state(unit, i, state), "set a state after an error");
  expect_ok(unit->free_state(unit, i, &state), "free the state");
  expect_ok(unit->reset(unit, i), "reset");
  free(cut);
}

static void check_steps_refused(fmu* unit, instance i) {
  const double h = unit->model.step_s;
  initialise(unit, i);
  refused(unit, i, unit->step(unit, i, 0, 0, NULL, 0), "a step of no size");
  initialise(unit, i);
  refused(unit, i, unit->step(unit, i, 0, -h, NULL, 0), "a step backwards");
  initialise(unit, i);
  refused(unit, i, unit->step(unit, i, 0, INFINITY, NULL, 0), "an endless step");
  initialise(unit, i);
  refused(unit, i, unit->step(unit, i, 10 * h, h, NULL, 0), "a step from another time");
  expect_ok(unit->enter_initialization(unit, i, 0, 1.5 * h), "initialise with a stop time");
  expect_ok(unit->exit_initialization(unit, i), "exit the initialisation");
  expect_ok(unit->step(unit, i, 0, h, NULL, 0), "a step before the stop time");
  refused(unit, i, unit->step(unit, i, h, h, NULL, 0), "a step beyond the stop time");
  unsigned output = 0;
  double value = 0;
  initialise(unit, i);
  if (output_reference(unit, &output)) {
    const int status = unit->output_derivative(unit, i, output, 9, &value);
    check(status == status_discard, "output derivative", "of order 9: the status is %d", status);
    expect_ok(unit->step(unit, i, 0, h, NULL, 0), "a step after a discard");
    messages_logged = 0;
  }
  expect_ok(unit->reset(unit, i), "reset");
}

void check_refusals(fmu* unit, interface_kind kind) {
  set_topic(kind == co_simulation ? "refusals of co-simulation" : "refusals of model exchange");
  messages_logged = 0;
  check(!unit->instantiate(unit, kind, "{another}", 0), "instantiate", "takes any token");
  check(messages_logged > 0, "instantiate", "does not say why it refuses");
  messages_logged = 0;
  check(unit->reset(unit, NULL) == status_error, "reset", "works without an instance");
  instance i = make(unit, kind, 0);
  check_order(unit, i, kind);
  check_values_refused(unit, i);
  check_states_refused(unit, i);
  if (kind == co_simulation) {
    check_steps_refused(unit, i);
  }
  /* Still as good as new. */
  initialise(unit, i);
  unit->free_instance(unit, i);
}
