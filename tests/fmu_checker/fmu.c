#include "fmu.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

int messages_logged = 0;

void* function_named(fmu* unit, const char* name) {
  void* function = dlsym(unit->library, name);
  if (!function) {
    give_up("the library has no function %s", name);
  }
  return function;
}

double course_value(const input_course* course, double since_s) {
  double value = 0;
  for (int k = input_orders - 1; k >= 0; --k) {
    value = course->derivative[k] + value * since_s / (k + 1);
  }
  return value;
}

fmu* load_fmu(const char* directory) {
  fmu* unit = allocate(1, sizeof *unit);
  char file[4400];
  snprintf(file, sizeof file, "%s/modelDescription.xml", directory);
  read_description(file, &unit->model);
  const int fmi2 = unit->model.version == 2;
  const char* identifier =
      unit->model.co_simulation[0] ? unit->model.co_simulation : unit->model.model_exchange;
  snprintf(file, sizeof file, "%s/binaries/%s/%s.so", directory, fmi2 ? "linux64" : "x86_64-linux",
           identifier);
  snprintf(unit->resources, sizeof unit->resources, "%s%s/resources%s", fmi2 ? "file://" : "",
           directory, fmi2 ? "" : "/");
  unit->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!unit->library) {
    give_up("%s", dlerror());
  }
  if (fmi2) {
    bind_fmi2(unit);
  } else {
    bind_fmi3(unit);
  }
  return unit;
}

void unload_fmu(fmu* unit) {
  dlclose(unit->library);
  free(unit->functions);
  free(unit);
}
