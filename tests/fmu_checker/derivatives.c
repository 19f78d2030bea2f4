/* Directional derivatives against central differences, and declared dependencies against both. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "checks.h"
#include "sequences.h"

/* Differences of roundings: (third root of a rounding)² of the values, with a margin for curvature.
 */
static const double difference_share = 1e-5;
static const double tolerance = 1e-5;

static int is_input(const variable* v) {
  return strcmp(v->causality, "input") == 0;
}

/* What the slopes are of and by: outputs and derivatives of states, by inputs and states. */
typedef struct {
  fmu* unit;
  instance of;
  size_t unknown_count, known_count;
  unsigned unknown[max_variables];
  double nominal[max_variables]; /* of the unknowns */
  int known[max_variables];      /* indices of variables; states last */
  size_t input_count;
  double x[max_variables];
} slopes;

static void set_known(slopes* s, size_t known, double value) {
  const variable* v = &s->unit->model.variables[s->known[known]];
  if (known < s->input_count) {
    expect_ok(s->unit->set(s->unit, s->of, &v->reference, 1, &value), "set an input");
    return;
  }
  const size_t state = known - s->input_count;
  const double before = s->x[state];
  s->x[state] = value;
  expect_ok(s->unit->set_states(s->unit, s->of, s->x, (size_t)s->unit->model.state_count),
            "set the states");
  s->x[state] = before;
}

static double known_value(slopes* s, size_t known) {
  double value = 0;
  const unsigned reference = s->unit->model.variables[s->known[known]].reference;
  expect_ok(s->unit->get(s->unit, s->of, &reference, 1, &value), "get a known");
  return value;
}

/* (f(v + δ) − f(v − δ))/2δ of all unknowns, and how large its roundings may be. */
static void differences(slopes* s, size_t known, double delta, double* quotient, double* scale) {
  const double value = known_value(s, known);
  double behind[max_variables], ahead[max_variables];
  set_known(s, known, value - delta);
  expect_ok(s->unit->get(s->unit, s->of, s->unknown, s->unknown_count, behind), "get unknowns");
  set_known(s, known, value + delta);
  expect_ok(s->unit->get(s->unit, s->of, s->unknown, s->unknown_count, ahead), "get unknowns");
  set_known(s, known, value);
  for (size_t i = 0; i < s->unknown_count; ++i) {
    quotient[i] = (ahead[i] - behind[i]) / (2 * delta);
    /* The size of the quotients and of the numbers they are made of. */
    scale[i] =
        fabs(quotient[i]) + 1e-9 * (fabs(ahead[i]) + fabs(behind[i]) + s->nominal[i]) / delta;
  }
}

static void check_slopes(slopes* s) {
  double all[max_variables] = {0};
  for (size_t k = 0; k < s->known_count; ++k) {
    const variable* v = &s->unit->model.variables[s->known[k]];
    double quotient[max_variables], scale[max_variables], slope[max_variables];
    double wide[max_variables], unused[max_variables];
    const double seed = 1;
    expect_ok(s->unit->directional(s->unit, s->of, s->unknown, s->unknown_count, &v->reference, 1,
                                   &seed, slope),
              "directional derivative");
    const double magnitude = fmax(fabs(known_value(s, k)), v->nominal);
    differences(s, k, 8 * difference_share * magnitude, wide, unused);
    differences(s, k, difference_share * magnitude, quotient, scale);
    for (size_t i = 0; i < s->unknown_count; ++i) {
      /* A root has no slope at 0, and differences of two sizes differ there and near by. */
      const int has_slope = fabs(wide[i] - quotient[i]) <= tolerance * scale[i];
      check(!has_slope || fabs(slope[i] - quotient[i]) <= tolerance * scale[i],
            "directional derivative", "of unknown %u by %s is %.12g, by differences %.12g",
            s->unknown[i], v->name, slope[i], quotient[i]);
      all[i] += 2 * slope[i];
      const int output = (int)i;
      if (output < s->unit->model.output_count && quotient[i] != 0 && k < s->input_count) {
        check(s->unit->model.depends[output][s->known[k]], "dependencies",
              "output %u follows %s, against what is declared", s->unknown[i], v->name);
      }
    }
  }
  /* All at once, with seeds that are not 1. */
  unsigned known[max_variables];
  double seeds[max_variables], sum[max_variables];
  for (size_t k = 0; k < s->known_count; ++k) {
    known[k] = s->unit->model.variables[s->known[k]].reference;
    seeds[k] = 2;
  }
  expect_ok(s->unit->directional(s->unit, s->of, s->unknown, s->unknown_count, known,
                                 s->known_count, seeds, sum),
            "directional derivative by all knowns");
  for (size_t i = 0; i < s->unknown_count; ++i) {
    check(fabs(sum[i] - all[i]) <= 1e-9 * (fabs(sum[i]) + fabs(all[i])), "directional derivative",
          "of unknown %u by all knowns is not the sum", s->unknown[i]);
  }
}

static void add_unknown(slopes* s, const variable* v) {
  s->nominal[s->unknown_count] = v->nominal;
  s->unknown[s->unknown_count++] = v->reference;
}

static void collect(slopes* s, int with_states) {
  const description* model = &s->unit->model;
  for (int i = 0; i < model->output_count; ++i) {
    add_unknown(s, &model->variables[model->outputs[i]]);
  }
  for (int i = 0; i < model->variable_count; ++i) {
    if (is_input(&model->variables[i])) {
      s->known[s->known_count++] = i;
    }
  }
  s->input_count = s->known_count;
  for (int i = 0; with_states && i < model->state_count; ++i) {
    add_unknown(s, &model->variables[model->derivatives[i]]);
    s->known[s->known_count++] = model->variables[model->derivatives[i]].derivative_of;
  }
}

void check_derivatives(fmu* unit, interface_kind kind) {
  set_topic(kind == co_simulation ? "derivatives of co-simulation"
                                  : "derivatives of model exchange");
  slopes s = {.unit = unit, .of = make(unit, kind, 0)};
  collect(&s, kind == model_exchange);
  expect_ok(unit->enter_initialization(unit, s.of, 0, -1), "enter the initialisation");
  if (kind == co_simulation) {
    check_slopes(&s); /* before the first step, too */
  }
  expect_ok(unit->exit_initialization(unit, s.of), "exit the initialisation");
  if (kind == co_simulation) {
    run(unit, s.of, 0, 3, 0, NULL);
  } else {
    int again = 0;
    expect_ok(unit->update_discrete(unit, s.of, &again), "new discrete states");
    expect_ok(unit->enter_continuous(unit, s.of), "enter the continuous-time mode");
    expect_ok(unit->get_states(unit, s.of, s.x, (size_t)unit->model.state_count), "get the states");
  }
  check_slopes(&s);
  unit->free_instance(unit, s.of);
}
