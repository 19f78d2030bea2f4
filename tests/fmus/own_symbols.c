/* A mass as in mass.c that brings functions with the names of SUNDIALS, zlib, SQLite, libzip and OpenSSL, as FMUs of many tools do,
   and calls them in every step. Where the host's functions take their place, doStep answers Error. */
#include <stdio.h>

#include "component.h"

enum { f, w, x, v, a, m, k, c, x0, v0, micro_step };

static const variable variables[] = {
    [f] = {"f", type_real, is_input, "N", 0, -1},
    [w] = {"w", type_real, is_input, "N", 0, -1},
    [x] = {"x", type_real, is_output, "m", 0, -1},
    [v] = {"v", type_real, is_output, "m/s", 0, x},
    [a] = {"a", type_real, is_output, "m/s2", 0, v},
    [m] = {"m", type_real, is_parameter, "kg", 1, -1},
    [k] = {"k", type_real, is_parameter, "N/m", 1000, -1},
    [c] = {"c", type_real, is_parameter, "N.s/m", 0, -1},
    [x0] = {"x0", type_real, is_parameter, "m", 0, -1},
    [v0] = {"v0", type_real, is_parameter, "m/s", -100, -1},
    [micro_step] = {"micro_step", type_real, is_parameter, "s", 0, -1},
};

static void start(double* value) {
  value[x] = value[x0];
  value[v] = value[v0];
}

static void evaluate(double* value, double time) {
  (void)time;
  value[a] = (value[f] + value[w] - value[k] * value[x] - value[c] * value[v]) / value[m];
}

/* Arguments that the real functions refuse at once, so that they show themselves instead of crashing. */
#define OWN(name)                                    \
  static long calls_of_##name;                       \
  EXPORTED int name(void*, double, void*, void*, int); \
  EXPORTED int name(void* nothing, double zero, void* none, void* never, int n) { \
    (void)nothing, (void)zero, (void)none, (void)never, (void)n; \
    ++calls_of_##name;                               \
    return 4711;                                     \
  }
OWN(CVode)
OWN(CVodeInit)
OWN(CVodeCreate)
OWN(SUNContext_Create)
OWN(deflate)
OWN(inflate)
OWN(SHA256_Init)
OWN(sqlite3_open)
OWN(zip_open)
OWN(uncompress)

#define CALL(name) (name(0, 0, 0, 0, 0) == 4711)
#define COUNT(name) (calls_of_##name == expected)

static step_end disturb(component* self, double time, double size, double* reached) {
  static long expected;
  (void)time, (void)size, (void)reached;
  ++expected;
  const int mine = CALL(CVode) & CALL(CVodeInit) & CALL(CVodeCreate) & CALL(SUNContext_Create) & CALL(deflate) &
                   CALL(inflate) & CALL(SHA256_Init) & CALL(sqlite3_open) & CALL(zip_open) & CALL(uncompress);
  const int counted = COUNT(CVode) & COUNT(CVodeInit) & COUNT(CVodeCreate) & COUNT(SUNContext_Create) &
                      COUNT(deflate) & COUNT(inflate) & COUNT(SHA256_Init) & COUNT(sqlite3_open) & COUNT(zip_open) &
                      COUNT(uncompress);
  if (mine && counted) return step_ok;
  self->log(self, "a function of the host took the place of its own");
  return step_error;
}

const model the_model = {
    .name = "own_symbols",
    .variables = variables,
    .variable_count = sizeof variables / sizeof *variables,
    .start = start,
    .evaluate = evaluate,
    .disturb = disturb,
};
