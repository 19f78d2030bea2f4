/* describe_fmu LIBRARY FILE: writes the model description that a test FMU's library tells. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int count, char** arguments) {
  if (count != 3) return 2;
  void* library = dlopen(arguments[1], RTLD_LAZY);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  void* symbol = dlsym(library, "describe_model");
  FILE* out = fopen(arguments[2], "w");
  if (!symbol || !out) return 1;
  void (*describe)(FILE*);
  memcpy(&describe, &symbol, sizeof describe);
  describe(out);
  return fclose(out) == 0 ? 0 : 1;
}
