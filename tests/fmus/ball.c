/* A ball that falls and bounces: h' = v, v' = w − g; at h = 0, v becomes −e v (a state event); at the
   time `kick_at`, v grows by `kick` (a time event). */
#include <math.h>

#include "component.h"

enum { w, h, v, a, g, e, h0, kick_at, kick, kicked, micro_step };

static const variable variables[] = {
    [w] = {"w", type_real, is_input, "m/s2", 0, -1},
    [h] = {"h", type_real, is_output, "m", 0, -1},
    [v] = {"v", type_real, is_output, "m/s", 0, h},
    [a] = {"a", type_real, is_local, "m/s2", 0, v},
    [g] = {"g", type_real, is_parameter, "m/s2", 9.81, -1},
    [e] = {"e", type_real, is_parameter, "1", 0.7, -1},
    [h0] = {"h0", type_real, is_parameter, "m", 1, -1},
    [kick_at] = {"kick_at", type_real, is_parameter, "s", 0, -1},
    [kick] = {"kick", type_real, is_parameter, "m/s", 0, -1},
    [kicked] = {"kicked", type_boolean, is_local, 0, 0, -1},
    [micro_step] = {"micro_step", type_real, is_parameter, "s", 1e-3, -1},
};

static void start(double* value) {
  value[h] = value[h0];
  value[v] = 0;
  value[kicked] = 0;
}

static void evaluate(double* value, double time) {
  (void)time;
  value[a] = value[w] - value[g];
}

/* Negative below the ground on the way down, so that it is positive again after the bounce. */
static void indicators(const double* value, double* indicator) {
  indicator[0] = value[h] > 0 || value[v] < 0 ? value[h] : 1e-9;
}

static double next_event(const double* value, double time) {
  (void)time;
  return value[kick] != 0 && value[kicked] == 0 ? value[kick_at] : INFINITY;
}

static bool event(double* value, double time) {
  bool changed = false;
  if (value[h] <= 0 && value[v] < 0) {
    value[h] = 0;
    value[v] = -value[e] * value[v];
    changed = true;
  }
  if (next_event(value, time) <= time) {
    value[v] += value[kick];
    value[kicked] = 1;
    changed = true;
  }
  return changed;
}

const model the_model = {
    .name = "ball",
    .variables = variables,
    .variable_count = sizeof variables / sizeof *variables,
    .indicator_count = 1,
    .start = start,
    .evaluate = evaluate,
    .indicators = indicators,
    .event = event,
    .next_event = next_event,
};
