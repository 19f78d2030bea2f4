#include "sequences.h"

#include <math.h>
#include <string.h>

#include "check.h"

int expect_ok(int status, const char* rule) {
  return check(status == status_ok, rule, "the status is %d", status);
}

static size_t references_with(const fmu* unit, const char* causality, unsigned* references) {
  size_t count = 0;
  for (int i = 0; i < unit->model.variable_count; ++i) {
    if (strcmp(unit->model.variables[i].causality, causality) == 0) {
      references[count++] = unit->model.variables[i].reference;
    }
  }
  return count;
}

size_t inputs_of(const fmu* unit, unsigned* references) {
  return references_with(unit, "input", references);
}
size_t outputs_of(const fmu* unit, unsigned* references) {
  return references_with(unit, "output", references);
}

instance make(fmu* unit, interface_kind kind, int within_steps) {
  instance made = unit->instantiate(unit, kind, unit->model.token, within_steps);
  if (!made) {
    give_up("the FMU cannot be instantiated");
  }
  return made;
}

void initialise(fmu* unit, instance i) {
  expect_ok(unit->enter_initialization(unit, i, 0, -1), "enter the initialisation");
  expect_ok(unit->exit_initialization(unit, i), "exit the initialisation");
}

/* The amplitude of the input's swing: a tenth of its range, or a small share of its start value. */
static double amplitude_of(const variable* input) {
  if (input->range > 0) {
    return 0.05 * input->range;
  }
  return input->start != 0 ? 1e-3 * fabs(input->start) : 1e-3;
}

/* start + a sin(ω t + φ) and its derivatives up to the degree. */
static void set_course(const variable* input, int number, double t, double omega, int degree,
                       input_course* course) {
  const double phase = omega * t + number;
  const double a = amplitude_of(input);
  const double derivatives[input_orders] = {input->start + a * (sin(phase) - sin(number)),
                                            a * omega * cos(phase), -a * pow(omega, 2) * sin(phase),
                                            -a * pow(omega, 3) * cos(phase),
                                            a * pow(omega, 4) * sin(phase)};
  memset(course, 0, sizeof *course);
  course->reference = input->reference;
  for (int k = 0; k <= degree; ++k) {
    course->derivative[k] = derivatives[k];
  }
}

size_t courses_at(const fmu* unit, int step, int degree, input_course* courses) {
  const double h = unit->model.step_s;
  const double omega = 6.0 / (run_steps * h);
  size_t count = 0;
  for (int k = 0; k < unit->model.variable_count; ++k) {
    const variable* v = &unit->model.variables[k];
    if (strcmp(v->causality, "input") == 0) {
      set_course(v, (int)count, step * h, omega, v->settable_within ? degree : 0, &courses[count]);
      ++count;
    }
  }
  return count;
}

/* Those that are held are set before the step and not within it: moves them away. */
static size_t set_held_inputs(fmu* unit, instance i, input_course* courses, size_t count) {
  size_t left = 0;
  for (size_t k = 0; k < count; ++k) {
    const variable* v = variable_of(&unit->model, courses[k].reference);
    if (v->settable_within) {
      courses[left++] = courses[k];
    } else {
      expect_ok(unit->set(unit, i, &v->reference, 1, &courses[k].derivative[0]), "set an input");
    }
  }
  return left;
}

double* run(fmu* unit, instance i, int first, int last, int degree, double* record) {
  const double h = unit->model.step_s;
  unsigned outputs[max_variables];
  const size_t output_count = outputs_of(unit, outputs);
  for (int n = first; n < last; ++n) {
    input_course courses[max_variables];
    size_t count = courses_at(unit, n, degree, courses);
    count = set_held_inputs(unit, i, courses, count);
    expect_ok(unit->step(unit, i, n * h, h, courses, count), "step");
    if (record) {
      expect_ok(unit->get(unit, i, outputs, output_count, record), "get outputs");
      for (size_t k = 0; k < output_count; ++k) {
        check(isfinite(record[k]), "outputs are numbers", "output %zu after step %d is %g", k, n,
              record[k]);
      }
      record += output_count;
    }
  }
  return record;
}

size_t record_size(const fmu* unit) {
  unsigned unused[max_variables];
  return run_steps * outputs_of(unit, unused);
}

double* new_record(const fmu* unit) {
  return allocate(record_size(unit), sizeof(double));
}

int same_record(const fmu* unit, const double* one, const double* other, int first) {
  const size_t before = record_size(unit) / run_steps * (size_t)first;
  return memcmp(one + before, other + before, (record_size(unit) - before) * sizeof(double)) == 0;
}
