/* The model description of a component, for FMI_VERSION 2 or 3. What depends on what is found by
   trying: each input and state is changed in turn. */
#include <string.h>

#include "component.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct {
  const char* name;
  const char* base;
} units[] = {
    {"N", "kg=\"1\" m=\"1\" s=\"-2\""},
    {"m", "m=\"1\""},
    {"m/s", "m=\"1\" s=\"-1\""},
    {"m/s2", "m=\"1\" s=\"-2\""},
    {"kg", "kg=\"1\""},
    {"N/m", "kg=\"1\" s=\"-2\""},
    {"N.s/m", "kg=\"1\" s=\"-1\""},
    {"s", "s=\"1\""},
    {"V", "kg=\"1\" m=\"2\" s=\"-3\" A=\"-1\""},
    {"rad", "rad=\"1\""},
    {"rad/s", "rad=\"1\" s=\"-1\""},
    {"1", ""},
};

static const variable* at(size_t i) { return &the_model.variables[i]; }

static bool is_state(size_t place) {
  for (size_t i = 0; i < state_count(); ++i)
    if (state_place(i) == (int)place) return true;
  return false;
}

/* How the structure of this version calls a variable: by index from 1, or by reference. */
static unsigned called(size_t place) {
  return (unsigned)place + (FMI_VERSION == 2 ? 1 : first_reference);
}

static void describe_units(FILE* out) {
  fputs("  <UnitDefinitions>\n", out);
  for (size_t u = 0; u < COUNT(units); ++u) {
    bool used = false;
    for (size_t i = 0; i < the_model.variable_count; ++i)
      used |= at(i)->unit && strcmp(at(i)->unit, units[u].name) == 0;
    if (used)
      fprintf(out, "    <Unit name=\"%s\"><BaseUnit %s/></Unit>\n", units[u].name, units[u].base);
  }
  fputs("  </UnitDefinitions>\n", out);
}

static void describe_items(FILE* out) {
  const char* rest = the_model.enumeration_items;
  for (int value = 0; *rest; ++value) {
    const size_t length = strcspn(rest, " ");
    fprintf(out, "<Item name=\"%.*s\" value=\"%d\"/>", (int)length, rest, value);
    rest += length;
    rest += strspn(rest, " ");
  }
}

static void describe_types(FILE* out) {
  if (!the_model.enumeration_items) return;
  fputs("  <TypeDefinitions>\n", out);
  fputs(FMI_VERSION == 2 ? "    <SimpleType name=\"Items\"><Enumeration>"
                         : "    <EnumerationType name=\"Items\">",
        out);
  describe_items(out);
  fputs(FMI_VERSION == 2 ? "</Enumeration></SimpleType>\n" : "</EnumerationType>\n", out);
  fputs("  </TypeDefinitions>\n", out);
}

static const char* flag(int on) { return on ? "true" : "false"; }

static void describe_common_flags(FILE* out) {
  const bool two = FMI_VERSION == 2;
  fprintf(out, " modelIdentifier=\"%s\"", IDENTIFIER);
  if (ONCE_PER_PROCESS) fputs(" canBeInstantiatedOnlyOncePerProcess=\"true\"", out);
  if (WITH_STATE)
    fprintf(out, " canGetAndSetFMU%s=\"true\" canSerializeFMU%s=\"true\"", two ? "state" : "State",
            two ? "state" : "State");
  if (WITH_DIRECTIONAL_DERIVATIVES)
    fprintf(out, " providesDirectionalDerivative%s=\"true\"", two ? "" : "s");
}

static void describe_interfaces(FILE* out) {
  const bool two = FMI_VERSION == 2;
  if (WITH_MODEL_EXCHANGE) {
    fputs("  <ModelExchange", out);
    describe_common_flags(out);
    if (two) fputs(" completedIntegratorStepNotNeeded=\"true\"", out);
    fputs("/>\n", out);
  }
  if (!WITH_CO_SIMULATION) return;
  fputs("  <CoSimulation", out);
  describe_common_flags(out);
  fputs(" canHandleVariableCommunicationStepSize=\"true\"", out);
  if (WITH_INPUT_DERIVATIVES)
    fprintf(out, " %s=\"true\"", two ? "canInterpolateInputs" : "providesIntermediateUpdate");
  if (WITH_OUTPUT_DERIVATIVES) fputs(" maxOutputDerivativeOrder=\"1\"", out);
  if (WITH_EVENT_MODE && !two)
    fputs(" hasEventMode=\"true\" mightReturnEarlyFromDoStep=\"true\"", out);
  fputs("/>\n", out);
}

static const char* type_name(value_type type) {
  const bool two = FMI_VERSION == 2;
  switch (type) {
    case type_real: return two ? "Real" : "Float64";
    case type_integer: return two ? "Integer" : "Int32";
    case type_boolean: return "Boolean";
    case type_string: return "String";
    default: return "Enumeration";
  }
}

static const char* causality_name(causality c) {
  static const char* const names[] = {"parameter", "input", "output", "local"};
  return names[c];
}

static bool is_exact(const variable* v) {
  return EXACT_OUTPUTS && v->causality == is_output && is_state((size_t)(v - the_model.variables));
}

static bool has_start(const variable* v) {
  return v->causality == is_parameter || v->causality == is_input || is_exact(v);
}

static void describe_common(FILE* out, size_t i) {
  const variable* v = at(i);
  const bool continuous = v->type == type_real && !v->discrete;
  fprintf(out, " name=\"%s\" valueReference=\"%u\" causality=\"%s\" variability=\"%s\"", v->name,
          (unsigned)i + first_reference, causality_name(v->causality),
          v->causality == is_parameter ? "fixed" : continuous ? "continuous" : "discrete");
  if (is_exact(v)) fputs(" initial=\"exact\"", out);
  if (!has_start(v) && FMI_VERSION == 2) fputs(" initial=\"calculated\"", out);
}

static void describe_typed(FILE* out, size_t i) {
  const variable* v = at(i);
  if (v->type == type_enumeration) fputs(" declaredType=\"Items\"", out);
  if (v->unit) fprintf(out, " unit=\"%s\"", v->unit);
  if (v->derivative_of >= 0)
    fprintf(out, " derivative=\"%u\"", called((size_t)v->derivative_of));
  if (!has_start(v) || v->type == type_string) return;
  if (v->type == type_boolean)
    fprintf(out, " start=\"%s\"", flag(v->start != 0));
  else
    fprintf(out, " start=\"%.17g\"", v->start);
}

static void describe_variable(FILE* out, size_t i) {
  const variable* v = at(i);
  const char* type = type_name(v->type);
  if (FMI_VERSION == 2) {
    fputs("    <ScalarVariable", out);
    describe_common(out, i);
    fprintf(out, "><%s", type);
    describe_typed(out, i);
    if (v->type == type_string && has_start(v)) fprintf(out, " start=\"%s\"", v->start_text);
    fputs("/></ScalarVariable>\n", out);
    return;
  }
  fprintf(out, "    <%s", type);
  describe_common(out, i);
  describe_typed(out, i);
  if (WITH_INPUT_DERIVATIVES && v->causality == is_input && v->type == type_real && !v->discrete)
    fputs(" intermediateUpdate=\"true\"", out);
  if (v->type == type_string && has_start(v))
    fprintf(out, "><Start value=\"%s\"/></String>\n", v->start_text);
  else
    fputs("/>\n", out);
}

/* Some values at which nothing vanishes. */
static void set_some_values(double* value) {
  for (size_t i = 0; i < the_model.variable_count; ++i)
    value[i] = at(i)->causality == is_parameter && at(i)->start != 0 ? at(i)->start
                                                                      : 1.25 + (double)i;
}

static bool depends(size_t unknown, size_t known) {
  double before[max_values] = {0};
  double after[max_values] = {0};
  set_some_values(before);
  set_some_values(after);
  after[known] += 0.5;
  the_model.evaluate(before, 0);
  the_model.evaluate(after, 0);
  return before[unknown] != after[unknown];
}

static void describe_unknown(FILE* out, const char* element, size_t place) {
  fprintf(out, "    <%s %s=\"%u\"", element, FMI_VERSION == 2 ? "index" : "valueReference",
          called(place));
  if (at(place)->type != type_string) {
    fputs(" dependencies=\"", out);
    const char* gap = "";
    for (size_t i = 0; i < the_model.variable_count; ++i) {
      if ((at(i)->causality != is_input && !is_state(i)) || !depends(place, i)) continue;
      fprintf(out, "%s%u", gap, called(i));
      gap = " ";
    }
    fputs("\"", out);
  }
  fputs("/>\n", out);
}

static void describe_structure(FILE* out) {
  const bool two = FMI_VERSION == 2;
  fputs("  <ModelStructure>\n", out);
  if (two) fputs("    <Outputs>\n", out);
  size_t first_output = the_model.variable_count;
  for (size_t i = the_model.variable_count; i-- > 0;)
    if (at(i)->causality == is_output) first_output = i;
  for (size_t i = 0; i < the_model.variable_count; ++i)
    if (at(i)->causality == is_output) describe_unknown(out, two ? "Unknown" : "Output", i);
  if (two) fputs("    </Outputs>\n", out);
  if (two && state_count()) fputs("    <Derivatives>\n", out);
  for (size_t i = 0; i < state_count(); ++i)
    describe_unknown(out, two ? "Unknown" : "ContinuousStateDerivative",
                     (size_t)derivative_place(i));
  if (two && state_count()) fputs("    </Derivatives>\n", out);
  if (two) fputs("    <InitialUnknowns>\n", out);
  for (size_t i = 0; i < the_model.variable_count; ++i)
    if (!is_exact(at(i)) &&
        (at(i)->causality == is_output || is_state(i) || at(i)->derivative_of >= 0))
      fprintf(out, "    <%s %s=\"%u\"/>\n", two ? "Unknown" : "InitialUnknown",
              two ? "index" : "valueReference", called(i));
  if (two) fputs("    </InitialUnknowns>\n", out);
  if (!two)
    for (size_t i = 0; i < the_model.indicator_count; ++i)
      fprintf(out, "    <EventIndicator valueReference=\"%u\"/>\n", called(first_output));
  fputs("  </ModelStructure>\n", out);
}

void describe_model(FILE* out) {
  const bool two = FMI_VERSION == 2;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
  fprintf(out, "<fmiModelDescription fmiVersion=\"%s\" modelName=\"%s\" %s=\"{%s}\"",
          two ? "2.0" : "3.0", the_model.name, two ? "guid" : "instantiationToken", IDENTIFIER);
  fputs(" generationTool=\"test FMUs\"", out);
  if (two) fprintf(out, " numberOfEventIndicators=\"%zu\"", the_model.indicator_count);
  fputs(">\n", out);
  describe_interfaces(out);
  describe_units(out);
  describe_types(out);
  if (WITH_LOG_CATEGORIES)
    fputs("  <LogCategories><Category name=\"logEvents\"/><Category name=\"logStatusWarning\"/>"
          "<Category name=\"logStatusError\"/></LogCategories>\n",
          out);
  fputs("  <DefaultExperiment startTime=\"0\" stopTime=\"1\" stepSize=\"0.001\"/>\n", out);
  fputs("  <ModelVariables>\n", out);
  if (!two)
    fputs("    <Float64 name=\"time\" valueReference=\"1\" causality=\"independent\" "
          "variability=\"continuous\"/>\n",
          out);
  if (!two && WITH_CLOCK)
    fputs("    <Clock name=\"tick\" valueReference=\"2\" causality=\"input\" "
          "intervalVariability=\"triggered\"/>\n",
          out);
  for (size_t i = 0; i < the_model.variable_count; ++i) describe_variable(out, i);
  fputs("  </ModelVariables>\n", out);
  describe_structure(out);
  fputs("</fmiModelDescription>\n", out);
}
