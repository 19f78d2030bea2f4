/* The checks of an FMU, each a walk through legal calls, but for check_refusals. */
#ifndef FMU_CHECKER_CHECKS_H
#define FMU_CHECKER_CHECKS_H

#include "fmu.h"

void check_co_simulation(fmu*);
void check_model_exchange(fmu*);
void check_derivatives(fmu*, interface_kind);
/* Start values, parameters, and outputs that both interfaces have alike. */
void check_values(fmu*);
/* Calls that are illegal, or ask for what there is not: an error each, and a message, and the
   instance can be reset. */
void check_refusals(fmu*, interface_kind);

#endif
