/* Runs of model exchange, integrated here by the classical Runge-Kutta method with held inputs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "checks.h"
#include "sequences.h"

enum { micro_steps = 50, middle = micro_steps / 2 };

typedef struct {
  fmu* unit;
  instance of;
  size_t states;
  double x[max_variables];
} model;

static void derivatives_at(model* m, double t, const double* x, double* rate) {
  expect_ok(m->unit->set_time(m->unit, m->of, t), "set the time");
  expect_ok(m->unit->set_states(m->unit, m->of, x, m->states), "set the states");
  expect_ok(m->unit->get_derivatives(m->unit, m->of, rate, m->states), "get the derivatives");
}

static void runge_kutta(model* m, double t, double h) {
  static const double nodes[] = {0, 0.5, 0.5, 1};
  static const double weights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double rate[max_variables] = {0};
  double sum[max_variables] = {0};
  double x[max_variables];
  for (int stage = 0; stage < 4; ++stage) {
    for (size_t i = 0; i < m->states; ++i) {
      x[i] = m->x[i] + nodes[stage] * h * rate[i];
    }
    derivatives_at(m, t + nodes[stage] * h, x, rate);
    for (size_t i = 0; i < m->states; ++i) {
      sum[i] += weights[stage] * rate[i];
    }
  }
  for (size_t i = 0; i < m->states; ++i) {
    m->x[i] += h * sum[i];
  }
  int event = 1;
  expect_ok(m->unit->set_time(m->unit, m->of, t + h), "set the time");
  expect_ok(m->unit->set_states(m->unit, m->of, m->x, m->states), "set the states");
  expect_ok(m->unit->completed_step(m->unit, m->of, &event), "completed integrator step");
  check(!event, "completed integrator step", "asks for an event");
}

static void settle_and_go_on(fmu* unit, instance i) {
  int again = 1;
  expect_ok(unit->update_discrete(unit, i, &again), "new discrete states");
  check(!again, "new discrete states", "have not settled");
  expect_ok(unit->enter_continuous(unit, i), "enter the continuous-time mode");
}

static model begin(fmu* unit, instance i) {
  model m = {unit, i, (size_t)unit->model.state_count, {0}};
  initialise(unit, i);
  settle_and_go_on(unit, i);
  expect_ok(unit->get_states(unit, i, m.x, m.states), "get the states");
  double nominal[max_variables];
  expect_ok(unit->get_nominals(unit, i, nominal, m.states), "get the nominal values");
  for (size_t k = 0; k < m.states; ++k) {
    check(nominal[k] > 0, "nominal values", "of state %zu is %g", k, nominal[k]);
  }
  return m;
}

/* So small that every mode of the problems is resolved. */
static double micro_step(const fmu* unit) {
  return unit->model.step_s / 50;
}

static void integrate(model* m, int first, int last) {
  const double h = micro_step(m->unit);
  for (int n = first; n < last; ++n) {
    runge_kutta(m, n * h, h);
  }
}

/* States and their derivatives are also variables. */
static void check_variables(model* m) {
  double rate[max_variables];
  expect_ok(m->unit->get_derivatives(m->unit, m->of, rate, m->states), "get the derivatives");
  for (size_t i = 0; i < m->states; ++i) {
    const variable* derivative = &m->unit->model.variables[m->unit->model.derivatives[i]];
    const variable* state = &m->unit->model.variables[derivative->derivative_of];
    double values[2];
    const unsigned references[2] = {state->reference, derivative->reference};
    expect_ok(m->unit->get(m->unit, m->of, references, 2, values), "get a state");
    check(values[0] == m->x[i], "state as a variable", "%s", state->name);
    check(values[1] == rate[i], "derivative as a variable", "%s", derivative->name);
  }
}

static void check_states_of_the_fmu(model* m, const double* expected) {
  fmu_state state = NULL;
  double x[max_variables];
  expect_ok(m->unit->get_state(m->unit, m->of, &state), "get the state");
  memcpy(x, m->x, sizeof x);
  for (int repeat = 0; repeat < 2; ++repeat) {
    integrate(m, middle, micro_steps);
    check(memcmp(m->x, expected, m->states * sizeof(double)) == 0, "set the state",
          "run %d from the state differs", repeat);
    expect_ok(m->unit->set_state(m->unit, m->of, state), "set the state");
    expect_ok(m->unit->get_states(m->unit, m->of, m->x, m->states), "get the states");
    check(memcmp(m->x, x, m->states * sizeof(double)) == 0, "set the state",
          "does not bring back the continuous states");
  }
  expect_ok(m->unit->free_state(m->unit, m->of, &state), "free the state");
}

void check_model_exchange(fmu* unit) {
  set_topic("model exchange");
  instance i = make(unit, model_exchange, 0);
  model m = begin(unit, i);
  integrate(&m, 0, micro_steps);
  double expected[max_variables];
  memcpy(expected, m.x, sizeof expected);
  for (size_t k = 0; k < m.states; ++k) {
    check(isfinite(expected[k]), "states are numbers", "state %zu is %g", k, expected[k]);
  }
  check_variables(&m);
  expect_ok(unit->enter_event(unit, i), "enter the event mode");
  settle_and_go_on(unit, i);
  expect_ok(unit->terminate(unit, i), "terminate");

  expect_ok(unit->reset(unit, i), "reset");
  instance other = make(unit, model_exchange, 0);
  model second = begin(unit, other);
  m = begin(unit, i);
  for (int n = 0; n < micro_steps; ++n) {
    if (n == middle) {
      model from_here = m;
      check_states_of_the_fmu(&from_here, expected);
    }
    integrate(&m, n, n + 1);
    integrate(&second, n, n + 1);
  }
  check(memcmp(m.x, expected, m.states * sizeof(double)) == 0, "reset",
        "a run after it differs from the first");
  check(memcmp(second.x, expected, m.states * sizeof(double)) == 0, "two instances",
        "one changes the other");
  unit->free_instance(unit, i);
  unit->free_instance(unit, other);
}
