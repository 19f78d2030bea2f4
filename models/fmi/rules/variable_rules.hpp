// What a variable is: name, reference, causality, variability and initial, type, unit, derivative.
#pragma once

#include "models/fmi/rules/raw_description.hpp"

namespace macrostep::models::fmi::rules {

void check_variables(const RawDescription& raw, Report& report);

}  // namespace macrostep::models::fmi::rules
