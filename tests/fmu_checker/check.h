/* Checks that count and say what failed, and go on. */
#ifndef FMU_CHECKER_CHECK_H
#define FMU_CHECKER_CHECK_H

#include <stddef.h>

/* What is being checked, as the beginning of every message. */
void set_topic(const char* topic);

/* Counts; prints the rule and the printf-like detail if it does not hold. Returns `holds`. */
int check(int holds, const char* rule, const char* detail, ...);

/* Ends the program: nothing can be checked without this. */
void give_up(const char* reason, ...);

/* calloc that gives up without memory. */
void* allocate(size_t count, size_t size);

int checks_made(void);
int checks_failed(void);

#endif
