/* A mass as in mass.c that from the time `when` on does what `what` says. */
#include <fcntl.h>
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mass_model.h"

enum { what = first_own, when };

/* In the order of `items`. */
enum {
  nothing,
  crash,
  call_abort,
  call_exit,
  endless_loop,
  memory_hog,
  output_flood,
  not_a_number,
  overflow,
  answer_error,
  answer_fatal,
  answer_discard,
  answer_pending,
  leak,
  log_flood,
  child_process,
  write_file,
  fail_start,
  slow,
  deaf,
  round_down,
  complain
};

static const char items[] =
    "nothing crash abort exit endless_loop memory_hog output_flood not_a_number overflow error fatal "
    "discard pending leak log_flood child_process write_file fail_start slow deaf "
    "round_down complain";

static const variable variables[] = {
    MASS_VARIABLES,
    [what] = {"what", type_enumeration, is_parameter, 0, 0, -1},
    [when] = {"when", type_real, is_parameter, "s", 0, -1},
};

/* After Fatal nobody may free an instance: kept, so that it is no leak to who looks for those. */
static component* volatile given_up;

/* Until there is no more. */
static void eat_memory(void) {
  const size_t size = (size_t)16 << 20;
  for (char* block = malloc(size); block; block = malloc(size)) memset(block, 1, size);
}

/* About 8 MB on each stream. */
static void flood_output(void) {
  for (int i = 0; i < 100000; ++i) {
    printf("line %d of what nobody asked for, on and on and on and on\n", i);
    fprintf(stderr, "line %d of what nobody asked for, on and on and on and on\n", i);
  }
  fflush(stdout);
}

static void sleep_ms(long milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, 0);
}

static void write_a_file(void) {
  const int file = open("macrostep_test_fmu_was_here", O_WRONLY | O_CREAT, 0600);
  if (file < 0) return;
  if (write(file, "here\n", 5) != 5) abort();
  close(file);
}

static void ignore_signals(void) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGALRM, SIG_IGN);
}

/* In a loop that a compiler may not take away. */
static void loop(void) {
  for (volatile unsigned i = 0;; ++i) continue;
}

static step_end disturb(component* self, double time, double size, double* reached) {
  double* value = self->now.value;
  if (time + size <= value[when]) return step_ok;
  switch ((int)value[what]) {
    case crash: {
      volatile int* volatile nowhere = (volatile int*)(uintptr_t)8;
      *nowhere = 1;
      return step_ok;
    }
    case call_abort: abort();
    case call_exit: exit(0);
    case endless_loop: loop(); return step_ok;
    case memory_hog: eat_memory(); return step_error;
    case output_flood: flood_output(); return step_ok;
    case not_a_number: value[v] = NAN; return step_ok;
    case overflow: value[v] *= 1e150; return step_ok; /* beyond all numbers in a few steps */
    case answer_error: self->log(self, "the spring broke"); return step_error;
    case answer_fatal:
      given_up = self;
      self->log(self, "the spring broke for good");
      return step_fatal;
    case answer_discard: *reached = fmax(time, value[when]); return step_discard;
    case answer_pending: return step_pending;
    case log_flood:
      for (int i = 0; i < 100000; ++i) self->log(self, "one more message");
      return step_ok;
    case child_process:
      if (fork() == 0) {
        sleep_ms(600000);
        _exit(0);
      }
      return step_ok;
    case write_file: write_a_file(); return step_ok;
    case slow: sleep_ms(20); return step_ok;
    case round_down: fesetround(FE_DOWNWARD); return step_ok;
    case deaf: ignore_signals(); loop(); return step_ok;
    default: return step_ok;
  }
}

static bool disturb_start(component* self) {
  if (self->now.value[what] == leak) {
    const size_t size = (size_t)1 << 20;
    const size_t page = 4096;
    volatile char* const lost = malloc(size); /* a compiler leaves plain stores to it out */
    for (size_t i = 0; lost && i < size; i += page) lost[i] = 1;
  }
  if (self->now.value[what] == fail_start) {
    self->log(self, "the parameters do not fit each other");
    return false;
  }
  if (self->now.value[what] == complain) {
    fprintf(stderr, "looking for a licence\nthere is no licence\n");
    return false;
  }
  return true;
}

const model the_model = {
    .name = "misbehaving",
    .variables = variables,
    .variable_count = sizeof variables / sizeof *variables,
    .start = start,
    .evaluate = evaluate,
    .disturb = disturb,
    .disturb_start = disturb_start,
    .enumeration_items = items,
};
