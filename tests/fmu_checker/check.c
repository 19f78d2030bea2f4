#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_messages = 50 };

static const char* current_topic = "";
static int made = 0;
static int failed = 0;

void set_topic(const char* topic) {
  current_topic = topic;
}

int check(int holds, const char* rule, const char* detail, ...) {
  ++made;
  if (holds) {
    return 1;
  }
  if (++failed <= most_messages) {
    va_list arguments;
    va_start(arguments, detail);
    printf("FAILED %s: %s: ", current_topic, rule);
    vprintf(detail, arguments);
    printf("\n");
    va_end(arguments);
  }
  return 0;
}

void give_up(const char* reason, ...) {
  va_list arguments;
  va_start(arguments, reason);
  printf("GAVE UP ");
  vprintf(reason, arguments);
  printf("\n");
  va_end(arguments);
  exit(2);
}

void* allocate(size_t count, size_t size) {
  void* memory = calloc(count ? count : 1, size);
  if (!memory) {
    give_up("without memory");
  }
  return memory;
}

int checks_made(void) {
  return made;
}

int checks_failed(void) {
  return failed;
}
