// Marks a function whose loop is compiled into one piece with all that it calls: a call within the
// loop of micro-steps costs as much as the equations of a small model.
#pragma once

// Sanitizers put a check at every access: in one piece, such loops would take minutes to compile.
#ifdef MACROSTEP_SANITIZED
#define MACROSTEP_HOT_LOOP
#else
#define MACROSTEP_HOT_LOOP [[gnu::flatten]]
#endif
