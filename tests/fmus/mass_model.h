/* The mass of mass.c, for each FMU that is one and may do more: m a = f + w − k x − c v. Its own variables begin at
   `first_own`. */
#ifndef MACROSTEP_TESTS_FMUS_MASS_MODEL_H
#define MACROSTEP_TESTS_FMUS_MASS_MODEL_H

#include "component.h"

enum { f, w, x, v, a, m, k, c, x0, v0, micro_step, first_own };

/* clang-format off */
#define MASS_VARIABLES                                        \
  [f] = {"f", type_real, is_input, "N", 0, -1},               \
  [w] = {"w", type_real, is_input, "N", 0, -1},               \
  [x] = {"x", type_real, is_output, "m", 0, -1},              \
  [v] = {"v", type_real, is_output, "m/s", 0, x},             \
  [a] = {"a", type_real, is_output, "m/s2", 0, v},            \
  [m] = {"m", type_real, is_parameter, "kg", 1, -1},          \
  [k] = {"k", type_real, is_parameter, "N/m", 1000, -1},      \
  [c] = {"c", type_real, is_parameter, "N.s/m", 0, -1},       \
  [x0] = {"x0", type_real, is_parameter, "m", 0, -1},         \
  [v0] = {"v0", type_real, is_parameter, "m/s", -100, -1},    \
  [micro_step] = {"micro_step", type_real, is_parameter, "s", 0, -1}
/* clang-format on */

static void start(double* value) {
  value[x] = value[x0];
  value[v] = value[v0];
}

static void evaluate(double* value, double time) {
  (void)time;
  value[a] = (value[f] + value[w] - value[k] * value[x] - value[c] * value[v]) / value[m];
}

#endif
