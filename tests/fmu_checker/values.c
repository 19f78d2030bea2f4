/* Start values, parameters, and what both interfaces have alike. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "checks.h"
#include "sequences.h"

static void check_start_values(fmu* unit, instance i) {
  for (int k = 0; k < unit->model.variable_count; ++k) {
    const variable* v = &unit->model.variables[k];
    if (!v->has_start) {
      continue;
    }
    double value = 0;
    expect_ok(unit->get(unit, i, &v->reference, 1, &value), "get a start value");
    check(value == v->start, "start value", "%s is %.17g, not %.17g", v->name, value, v->start);
  }
}

/* Each parameter by itself, before the initialisation; the outputs stay numbers. */
static void check_parameters(fmu* unit) {
  unsigned outputs[max_variables];
  const size_t count = outputs_of(unit, outputs);
  for (int k = 0; k < unit->model.variable_count; ++k) {
    const variable* v = &unit->model.variables[k];
    if (strcmp(v->causality, "parameter") != 0) {
      continue;
    }
    instance i = make(unit, co_simulation, 0);
    double value = v->start == 0 ? 1e-3 : v->start * (1 + 1e-4);
    double values[max_variables];
    expect_ok(unit->set(unit, i, &v->reference, 1, &value), "set a parameter");
    initialise(unit, i);
    double read = 0;
    expect_ok(unit->get(unit, i, &v->reference, 1, &read), "get a parameter");
    check(read == value, "parameter", "%s is %g, not %g", v->name, read, value);
    expect_ok(unit->get(unit, i, outputs, count, values), "get outputs");
    for (size_t n = 0; n < count; ++n) {
      check(isfinite(values[n]), "outputs are numbers", "with %s = %g", v->name, value);
    }
    unit->free_instance(unit, i);
  }
}

/* Outputs, states and derivatives of both interfaces before the first step. They are calculated in
   different coordinates: equal to a share of their size. */
static void check_interfaces_agree(fmu* unit) {
  static const double share = 1e-7;
  instance one = make(unit, co_simulation, 0);
  instance other = make(unit, model_exchange, 0);
  expect_ok(unit->enter_initialization(unit, one, 0, -1), "enter the initialisation");
  expect_ok(unit->enter_initialization(unit, other, 0, -1), "enter the initialisation");
  for (int k = 0; k < unit->model.variable_count; ++k) {
    const variable* v = &unit->model.variables[k];
    double a = 0, b = 0;
    expect_ok(unit->get(unit, one, &v->reference, 1, &a), "get a variable");
    expect_ok(unit->get(unit, other, &v->reference, 1, &b), "get a variable");
    double whole = fmax(fabs(a), fabs(b));
    if (v->derivative_of != no_variable) {
      whole = fmax(whole, unit->model.variables[v->derivative_of].nominal);
    }
    check(fabs(a - b) <= share * fmax(whole, v->nominal), "both interfaces agree",
          "%s is %.12g in co-simulation, %.12g in model exchange", v->name, a, b);
  }
  unit->free_instance(unit, one);
  unit->free_instance(unit, other);
}

void check_values(fmu* unit) {
  set_topic("values");
  instance i = make(unit, co_simulation, 0);
  expect_ok(unit->enter_initialization(unit, i, 0, -1), "enter the initialisation");
  check_start_values(unit, i);
  unit->free_instance(unit, i);
  check_parameters(unit);
  if (unit->model.model_exchange[0]) {
    check_interfaces_agree(unit);
  }
}
