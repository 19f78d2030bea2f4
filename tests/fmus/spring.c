/* A spring and damper without a state: f = −(k x + c v), the force on what moves it. */
#include "component.h"

enum { x, v, f, k, c };

static const variable variables[] = {
    [x] = {"x", type_real, is_input, "m", 0, -1},
    [v] = {"v", type_real, is_input, "m/s", 0, -1},
    [f] = {"f", type_real, is_output, "N", 0, -1},
    [k] = {"k", type_real, is_parameter, "N/m", 100, -1},
    [c] = {"c", type_real, is_parameter, "N.s/m", 1, -1},
};

static void start(double* value) { (void)value; }

static void evaluate(double* value, double time) {
  (void)time;
  value[f] = -(value[k] * value[x] + value[c] * value[v]);
}

const model the_model = {
    .name = "spring",
    .variables = variables,
    .variable_count = sizeof variables / sizeof *variables,
    .start = start,
    .evaluate = evaluate,
};
