// The model structure: which variables it lists, and what it says they depend on.
#pragma once

#include "models/fmi/rules/raw_description.hpp"

namespace macrostep::models::fmi::rules {

void check_structure(const RawDescription& raw, Report& report);

}  // namespace macrostep::models::fmi::rules
