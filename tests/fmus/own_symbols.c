/* A mass as in mass.c that brings functions with the names of SUNDIALS, zlib, SQLite, libzip and OpenSSL, as FMUs of
   many tools do, and calls them in every step. Where the host's functions take their place, doStep answers Error. */
#include <stdio.h>

#include "mass_model.h"

static const variable variables[] = {
    MASS_VARIABLES,
};

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
