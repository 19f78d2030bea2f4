/* Every type of variable: outputs repeat inputs. */
#include <string.h>

#include "component.h"

enum { real_in, integer_in, boolean_in, string_in, mode_in, real, integer, boolean, string, mode,
       discrete_in, offset };

static const variable variables[] = {
    [real_in] = {"real_in", type_real, is_input, "V", 0, -1},
    [integer_in] = {"integer_in", type_integer, is_input, 0, 0, -1},
    [boolean_in] = {"boolean_in", type_boolean, is_input, 0, 0, -1},
    [string_in] = {"string_in", type_string, is_input, 0, 0, -1, "empty"},
    [mode_in] = {"mode_in", type_enumeration, is_input, 0, 1, -1},
    [real] = {"real", type_real, is_output, "V", 0, -1},
    [integer] = {"integer", type_integer, is_output, 0, 0, -1},
    [boolean] = {"boolean", type_boolean, is_output, 0, 0, -1},
    [string] = {"string", type_string, is_output, 0, 0, -1, "empty"},
    [mode] = {"mode", type_enumeration, is_output, 0, 0, -1},
    [discrete_in] = {"discrete_in", type_real, is_input, "V", 0, -1, 0, true},
    [offset] = {"offset", type_integer, is_parameter, 0, 0, -1},
};

static void start(double* value) { (void)value; }

static void evaluate(double* value, double time) {
  (void)time;
  value[real] = value[real_in] + value[discrete_in] + value[offset];
  value[integer] = value[integer_in];
  value[boolean] = value[boolean_in];
  value[mode] = value[mode_in];
}

static void evaluate_text(char text[][text_bytes]) { memcpy(text[string], text[string_in], text_bytes); }

const model the_model = {
    .name = "types",
    .variables = variables,
    .variable_count = sizeof variables / sizeof *variables,
    .start = start,
    .evaluate = evaluate,
    .evaluate_text = evaluate_text,
    .enumeration_items = "off slow fast",
};
