/* The other mass, which owns the coupling spring: f = k_c (x − x_in) + c_c (v − v_in) is the force on
   what moves x_in, and m a = w − k x − c v − f. Together with mass.c: the linear oscillator, coupled
   by force and displacement. */
#include "component.h"

enum { x_in, v_in, w, x, v, f, a, m, k, c, k_c, c_c, x0, v0, micro_step };

static const variable variables[] = {
    [x_in] = {"x_in", type_real, is_input, "m", 0, -1},
    [v_in] = {"v_in", type_real, is_input, "m/s", 0, -1},
    [w] = {"w", type_real, is_input, "N", 0, -1},
    [x] = {"x", type_real, is_output, "m", 0, -1},
    [v] = {"v", type_real, is_output, "m/s", 0, x},
    [f] = {"f", type_real, is_output, "N", 0, -1},
    [a] = {"a", type_real, is_local, "m/s2", 0, v},
    [m] = {"m", type_real, is_parameter, "kg", 1, -1},
    [k] = {"k", type_real, is_parameter, "N/m", 10, -1},
    [c] = {"c", type_real, is_parameter, "N.s/m", 0, -1},
    [k_c] = {"k_c", type_real, is_parameter, "N/m", 100, -1},
    [c_c] = {"c_c", type_real, is_parameter, "N.s/m", 0, -1},
    [x0] = {"x0", type_real, is_parameter, "m", 0, -1},
    [v0] = {"v0", type_real, is_parameter, "m/s", 100, -1},
    [micro_step] = {"micro_step", type_real, is_parameter, "s", 0, -1},
};

static void start(double* value) {
  value[x] = value[x0];
  value[v] = value[v0];
}

static void evaluate(double* value, double time) {
  (void)time;
  value[f] = value[k_c] * (value[x] - value[x_in]) + value[c_c] * (value[v] - value[v_in]);
  value[a] = (value[w] - value[k] * value[x] - value[c] * value[v] - value[f]) / value[m];
}

const model the_model = {
    .name = "spring_mass",
    .variables = variables,
    .variable_count = sizeof variables / sizeof *variables,
    .start = start,
    .evaluate = evaluate,
};
