/* A mass on a spring and damper to the ground: m a = f + w − k x − c v. Inputs: f of whatever is
   coupled to it, w from outside. `grid` > 0: steps of its own of that size, whatever it is asked. */
#include "mass_model.h"

enum { grid = first_own };

static const variable variables[] = {
    MASS_VARIABLES,
    [grid] = {"grid", type_real, is_parameter, "s", 0, -1},
};

const model the_model = {
    .name = "mass",
    .variables = variables,
    .variable_count = sizeof variables / sizeof *variables,
    .start = start,
    .evaluate = evaluate,
};
