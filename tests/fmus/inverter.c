/* A boolean output that is what its input is not, and a state that says for how long: x' = 1 while
   `out` is true, −1 else. With `toggle_at` > 0 `out` becomes true at that time instead, whatever
   the input. Inputs are only looked at in events. */
#include <math.h>

#include "component.h"

enum { in, out, x, rate, toggle_at };

static const variable variables[] = {
    [in] = {"in", type_boolean, is_input, 0, 0, -1},
    [out] = {"out", type_boolean, is_output, 0, 0, -1},
    [x] = {"x", type_real, is_output, "s", 0, -1},
    [rate] = {"rate", type_real, is_local, "1", 0, x},
    [toggle_at] = {"toggle_at", type_real, is_parameter, "s", 0, -1},
};

static void start(double* value) {
  value[out] = 0;
  value[x] = 0;
}

static void evaluate(double* value, double time) {
  (void)time;
  value[rate] = value[out] != 0 ? 1 : -1;
}

static bool event(double* value, double time) {
  value[out] = value[toggle_at] > 0 ? time >= value[toggle_at] : value[in] == 0;
  return false;
}

static double next_event(const double* value, double time) {
  return value[toggle_at] > time ? value[toggle_at] : INFINITY;
}

const model the_model = {
    .name = "inverter",
    .variables = variables,
    .variable_count = sizeof variables / sizeof *variables,
    .start = start,
    .evaluate = evaluate,
    .event = event,
    .next_event = next_event,
};
