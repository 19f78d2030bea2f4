#include "component.h"

#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int instances = 0;

static void set_starts(component* c) {
  memset(&c->now, 0, sizeof c->now);
  for (size_t i = 0; i < the_model.variable_count; ++i) {
    c->now.value[i] = the_model.variables[i].start;
    if (the_model.variables[i].start_text) set_text(c, (int)i, the_model.variables[i].start_text);
  }
}

component* new_component(bool co_simulation) {
  ++instances;
  if (instances > 1 && (ONCE_PER_PROCESS || ABORT_SECOND)) abort();
  if (co_simulation ? !WITH_CO_SIMULATION : !WITH_MODEL_EXCHANGE) return 0;
  component* c = calloc(1, sizeof *c);
  if (!c) return 0;
  c->co_simulation = co_simulation;
  set_starts(c);
  return c;
}

void reset_component(component* c) { set_starts(c); }

void free_component(component* c) { free(c); }

int place_of(unsigned reference) {
  if (reference < first_reference) return -1;
  const size_t place = reference - first_reference;
  return place < the_model.variable_count ? (int)place : -1;
}

static bool is_state(int place) {
  for (size_t i = 0; i < the_model.variable_count; ++i)
    if (the_model.variables[i].derivative_of == place) return true;
  return false;
}

bool may_set(const component* c, int place) {
  const causality kind = the_model.variables[place].causality;
  const phase now = c->now.phase;
  if (kind == is_parameter) return now == instantiated || now == initializing;
  if (kind != is_input) return false;
  const variable* v = &the_model.variables[place];
  const bool continuous = v->type == type_real && !v->discrete;
  if (now == continuous_mode) return continuous;
  if (now == step_mode && c->event_mode_used) return continuous;
  return now != terminated;
}

bool may_get(const component* c) {
  if (CRASH_AFTER_END && c->now.phase == terminated) raise(SIGSEGV);
  return c->now.phase != instantiated;
}

double value_at(const component* c, int place) {
  const bool late = INPUTS_TAKEN_BY_STEPS && c->now.phase == step_mode;
  return (late ? c->now.taken : c->now.value)[place];
}

void refresh(component* c) {
  if (c->now.phase == initializing) the_model.start(c->now.value);
  the_model.evaluate(c->now.value, c->now.time);
  if (c->now.phase == initializing) memcpy(c->now.taken, c->now.value, sizeof c->now.taken);
  if (the_model.evaluate_text) the_model.evaluate_text(c->now.text);
}

void leave_rounding(void) {
  if (ROUND_DOWN) fesetround(FE_DOWNWARD);
}

void set_text(component* c, int place, const char* text) {
  strncpy(c->now.text[place], text, text_bytes - 1);
}

/* No category means all of them, as the standard has it. */
void switch_log(component* c, bool on, size_t count, const char* const categories[]) {
  c->says_errors = on && count == 0;
  c->says_all = on && count == 0;
  for (size_t i = 0; on && i < count; ++i) {
    if (strcmp(categories[i], "logStatusError") == 0) c->says_errors = true;
    else if (strcmp(categories[i], "logStatusWarning") != 0) c->says_all = true;
  }
}

size_t state_count(void) {
  size_t count = 0;
  for (size_t i = 0; i < the_model.variable_count; ++i)
    if (the_model.variables[i].derivative_of >= 0) ++count;
  return count;
}

int derivative_place(size_t index) {
  for (size_t i = 0; i < the_model.variable_count; ++i)
    if (the_model.variables[i].derivative_of >= 0 && index-- == 0) return (int)i;
  return -1;
}

int state_place(size_t index) { return the_model.variables[derivative_place(index)].derivative_of; }

/* u(t_n + τ) = u_n + Σ u_n^(k) τ^k / k! */
static void set_inputs(component* c, const double* held, double tau) {
  for (size_t i = 0; i < the_model.variable_count; ++i) {
    if (the_model.variables[i].causality != is_input) continue;
    double term = 1;
    double value = held[i];
    for (int k = 0; k < max_order; ++k) {
      term *= tau / (k + 1);
      value += c->now.slope[i][k] * term;
    }
    c->now.value[i] = value;
  }
}

typedef struct {
  double held[max_values]; /* inputs as they were set */
  double start;            /* of the macro-step */
  double end;
} frame;

static void derivatives(component* c, const frame* f, double tau, double* rate) {
  set_inputs(c, f->held, tau);
  if (c->at_stage) c->at_stage(c, f->start + tau, f->end);
  the_model.evaluate(c->now.value, f->start + tau);
  for (size_t i = 0; i < state_count(); ++i) rate[i] = c->now.value[derivative_place(i)];
}

static void set_states(component* c, const double* x, const double* rate, double size) {
  for (size_t i = 0; i < state_count(); ++i)
    c->now.value[state_place(i)] = x[i] + size * rate[i];
}

/* The classical Runge-Kutta method of order 4 from τ to τ + h. */
static void runge_kutta(component* c, const frame* f, double tau, double h) {
  double x[max_values], k1[max_values], k2[max_values], k3[max_values], k4[max_values];
  for (size_t i = 0; i < state_count(); ++i) x[i] = c->now.value[state_place(i)];
  derivatives(c, f, tau, k1);
  set_states(c, x, k1, h / 2);
  derivatives(c, f, tau + h / 2, k2);
  set_states(c, x, k2, h / 2);
  derivatives(c, f, tau + h / 2, k3);
  set_states(c, x, k3, h);
  derivatives(c, f, tau + h, k4);
  for (size_t i = 0; i < state_count(); ++i)
    c->now.value[state_place(i)] = x[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

/* A parameter that a model may have; 0 without. */
static double parameter(const component* c, const char* name) {
  for (size_t i = 0; i < the_model.variable_count; ++i)
    if (strcmp(the_model.variables[i].name, name) == 0) return c->now.value[i];
  return 0;
}

/* Whether something happens now: at a time known before, or because an indicator is below 0. */
static bool is_event(component* c, double time) {
  if (the_model.next_event && the_model.next_event(c->now.value, time) <= time) return true;
  double indicator[max_values] = {0};
  if (the_model.indicators) the_model.indicators(c->now.value, indicator);
  for (size_t i = 0; i < the_model.indicator_count; ++i)
    if (indicator[i] < 0) return true;
  return false;
}

/* Events are looked for at the end of each micro-step. */
static step_end integrate(component* c, const frame* f, double* reached) {
  const double size = f->end - f->start;
  const double grid = parameter(c, "grid");
  if (grid > 0) { /* a private grid: as many whole steps as it takes to get there */
    while (c->now.time < f->end - 1e-9 * grid) {
      runge_kutta(c, f, 0, grid);
      c->now.time += grid;
    }
    return step_ok;
  }
  const double micro_step = parameter(c, "micro_step");
  const double count = micro_step > 0 ? fmax(1, ceil(size / micro_step - 1e-9)) : 1;
  for (double i = 0; i < count; ++i) {
    runge_kutta(c, f, i * size / count, size / count);
    *reached = i + 1 < count ? f->start + (i + 1) * size / count : f->end;
    if (!the_model.event || !is_event(c, *reached)) continue;
    if (c->event_mode_used && c->early_return_allowed) return step_early;
    the_model.event(c->now.value, *reached);
  }
  return step_ok;
}

step_end step_component(component* c, double start, double size, double* reached) {
  frame f = {.start = start, .end = start + size};
  memcpy(f.held, c->now.value, sizeof f.held);
  *reached = f.end;
  step_end end = the_model.disturb ? the_model.disturb(c, start, size, reached) : step_ok;
  if (end == step_discard) f.end = *reached;
  if (end == step_ok || end == step_discard) {
    const step_end integrated = integrate(c, &f, reached);
    if (end == step_ok) end = integrated;
  }
  if (parameter(c, "grid") <= 0) c->now.time = *reached;
  set_inputs(c, f.held, *reached - start);
  if (c->at_stage) c->at_stage(c, *reached, *reached);
  the_model.evaluate(c->now.value, *reached);
  memcpy(c->now.taken, c->now.value, sizeof c->now.taken);
  memset(c->now.slope, 0, sizeof c->now.slope);
  return end;
}

/* The equations have no constant terms: with all states and inputs 0 but for the seed, what they
   give is the derivative. */
bool directional_derivative(component* c, const unsigned* unknown, size_t unknown_count,
                            const unsigned* known, size_t known_count, const double* seed,
                            double* sensitivity) {
  double value[max_values];
  memcpy(value, c->now.value, sizeof value);
  for (size_t i = 0; i < the_model.variable_count; ++i)
    if (the_model.variables[i].causality == is_input || is_state((int)i)) value[i] = 0;
  for (size_t i = 0; i < known_count; ++i) {
    if (place_of(known[i]) < 0) return false;
    value[place_of(known[i])] = seed[i];
  }
  the_model.evaluate(value, c->now.time);
  for (size_t i = 0; i < unknown_count; ++i) {
    if (place_of(unknown[i]) < 0) return false;
    sensitivity[i] = value[place_of(unknown[i])];
  }
  leave_rounding();
  return true;
}
