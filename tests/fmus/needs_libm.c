/* x' = −sin(x), calling the mathematical library without declaring that it is needed: it is linked
   without -lm, so that only a host that has loaded it can load this. */
#include <math.h>

#include "component.h"

enum { x, rate, x0, y_in, y };

static const variable variables[] = {
    [x] = {"x", type_real, is_output, "rad", 0, -1},
    [rate] = {"rate", type_real, is_local, "rad/s", 0, x},
    [x0] = {"x0", type_real, is_parameter, "rad", 1, -1},
    [y_in] = {"u", type_real, is_input, "rad", 0, -1},
    [y] = {"y", type_real, is_output, "1", 0, -1},
};

static void start(double* value) { value[x] = value[x0]; }

static void evaluate(double* value, double time) {
  (void)time;
  value[rate] = -sin(value[x]);
  value[y] = cos(value[y_in]) + erf(value[x]);
}

const model the_model = {
    .name = "needs_libm",
    .variables = variables,
    .variable_count = sizeof variables / sizeof *variables,
    .start = start,
    .evaluate = evaluate,
};
