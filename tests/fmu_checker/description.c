#include "description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static char* text_of(const char* file) {
  FILE* stream = fopen(file, "rb");
  if (!stream) {
    give_up("%s cannot be read", file);
  }
  fseek(stream, 0, SEEK_END);
  const long size = ftell(stream);
  rewind(stream);
  char* text = allocate((size_t)size + 1, 1);
  if (fread(text, 1, (size_t)size, stream) != (size_t)size) {
    give_up("%s cannot be read", file);
  }
  fclose(stream);
  return text;
}

/* The attribute's value within the tag that begins at `tag`; 0 if it has none. */
static int attribute(const char* tag, const char* name, char* value, size_t size) {
  const char* end = strchr(tag, '>');
  const size_t length = strlen(name);
  for (const char* at = tag; at && at < end; ++at) {
    at = strstr(at, name);
    if (!at || at >= end) {
      return 0;
    }
    if (at[-1] == ' ' && at[length] == '=' && at[length + 1] == '"') {
      const char* first = at + length + 2;
      const char* last = strchr(first, '"');
      if (!last || (size_t)(last - first) >= size) {
        give_up("the attribute %s is too long", name);
      }
      memcpy(value, first, (size_t)(last - first));
      value[last - first] = '\0';
      return 1;
    }
  }
  return 0;
}

static double number(const char* tag, const char* name, double otherwise) {
  char text[64];
  return attribute(tag, name, text, sizeof text) ? strtod(text, NULL) : otherwise;
}

static int flag(const char* tag, const char* name) {
  char text[16];
  return attribute(tag, name, text, sizeof text) && strcmp(text, "true") == 0;
}

/* The next tag of this name before `end`, from `at` on; NULL if there is none. */
static const char* next_tag(const char* at, const char* end, const char* name) {
  char opening[64];
  snprintf(opening, sizeof opening, "<%s ", name);
  const char* found = at ? strstr(at, opening) : NULL;
  return found && found < end ? found : NULL;
}

static int index_by_reference(const description* model, unsigned reference) {
  for (int i = 0; i < model->variable_count; ++i) {
    if (model->variables[i].reference == reference) {
      return i;
    }
  }
  give_up("no variable has the value reference %u", reference);
  return no_variable;
}

const variable* variable_of(const description* model, unsigned reference) {
  return &model->variables[index_by_reference(model, reference)];
}

/* FMI 2 counts variables from 1, FMI 3 names their references. */
static int index_of(const description* model, unsigned place) {
  if (model->version == 3) {
    return index_by_reference(model, place);
  }
  if (place < 1 || place > (unsigned)model->variable_count) {
    give_up("no variable has the index %u", place);
  }
  return (int)place - 1;
}

static void read_variables(const char* text, description* model) {
  const char* end = strstr(text, "</ModelVariables>");
  const char* name = model->version == 2 ? "ScalarVariable" : "Float64";
  const char* tag = strstr(text, "<ModelVariables>");
  while ((tag = next_tag(tag, end, name)) != NULL) {
    if (model->variable_count == max_variables) {
      give_up("there are more than %d variables", max_variables);
    }
    variable* v = &model->variables[model->variable_count++];
    const char* real = model->version == 2 ? strstr(tag, "<Real") : tag;
    if (!real || !attribute(tag, "name", v->name, sizeof v->name)) {
      give_up("a variable has no name or is not real");
    }
    v->reference = (unsigned)number(tag, "valueReference", -1);
    if (!attribute(tag, "causality", v->causality, sizeof v->causality)) {
      strcpy(v->causality, "local");
    }
    v->start = number(real, "start", 0);
    char unused[64];
    v->has_start = attribute(real, "start", unused, sizeof unused);
    v->nominal = number(real, "nominal", 1);
    v->derivative_of = (int)number(real, "derivative", no_variable);
    v->range = number(real, "max", 0) - number(real, "min", 0);
    /* FMI 2 cannot say of an input that it is held; these FMUs do in words. */
    char words[256] = "";
    attribute(tag, "description", words, sizeof words);
    v->settable_within =
        model->version == 2 ? !strstr(words, "held over") : flag(tag, "intermediateUpdate");
    ++tag;
  }
  for (int i = 0; i < model->variable_count; ++i) {
    variable* v = &model->variables[i];
    if (v->derivative_of != no_variable) {
      v->derivative_of = index_of(model, (unsigned)v->derivative_of);
    }
  }
}

static void read_dependencies(const char* tag, description* model, int output) {
  char list[4096];
  if (!attribute(tag, "dependencies", list, sizeof list)) {
    for (int i = 0; i < model->variable_count; ++i) {
      model->depends[output][i] = 1;
    }
    return;
  }
  for (char* word = strtok(list, " "); word; word = strtok(NULL, " ")) {
    model->depends[output][index_of(model, (unsigned)strtoul(word, NULL, 10))] = 1;
  }
}

static void read_structure(const char* text, description* model) {
  const int fmi2 = model->version == 2;
  const char* first = strstr(text, fmi2 ? "<Outputs>" : "<ModelStructure>");
  const char* last = strstr(text, fmi2 ? "</Outputs>" : "</ModelStructure>");
  const char* place = fmi2 ? "index" : "valueReference";
  const char* tag = first;
  while ((tag = next_tag(tag, last, fmi2 ? "Unknown" : "Output")) != NULL) {
    read_dependencies(tag, model, model->output_count);
    model->outputs[model->output_count++] = index_of(model, (unsigned)number(tag, place, 0));
    ++tag;
  }
  first = strstr(text, fmi2 ? "<Derivatives>" : "<ModelStructure>");
  last = strstr(text, fmi2 ? "</Derivatives>" : "</ModelStructure>");
  tag = first;
  while ((tag = next_tag(tag, last, fmi2 ? "Unknown" : "ContinuousStateDerivative")) != NULL) {
    model->derivatives[model->state_count++] = index_of(model, (unsigned)number(tag, place, 0));
    ++tag;
  }
}

void read_description(const char* file, description* into) {
  char* text = text_of(file);
  const char* end = text + strlen(text);
  const char* root = next_tag(text, end, "fmiModelDescription");
  char version[16] = "";
  if (!root || !attribute(root, "fmiVersion", version, sizeof version)) {
    give_up("%s has no fmiVersion", file);
  }
  memset(into, 0, sizeof *into);
  into->version = version[0] - '0';
  if (into->version != 2 && into->version != 3) {
    give_up("FMI %s is not known", version);
  }
  if (!attribute(root, into->version == 2 ? "guid" : "instantiationToken", into->token,
                 sizeof into->token)) {
    give_up("%s has no guid or instantiationToken", file);
  }
  const char* interface = next_tag(text, end, "CoSimulation");
  if (interface) {
    attribute(interface, "modelIdentifier", into->co_simulation, sizeof into->co_simulation);
  }
  interface = next_tag(text, end, "ModelExchange");
  if (interface) {
    attribute(interface, "modelIdentifier", into->model_exchange, sizeof into->model_exchange);
  }
  const char* experiment = next_tag(text, end, "DefaultExperiment");
  into->step_s = experiment ? number(experiment, "stepSize", 1e-3) : 1e-3;
  read_variables(text, into);
  read_structure(text, into);
  free(text);
}
