// Attributes that the standard does not know, as a flag spelt as in the other version, and values
// of a form that none of its type has.
#pragma once

#include "models/fmi/rules/raw_description.hpp"

namespace macrostep::models::fmi::rules {

void check_attributes(const RawDescription& raw, Report& report);

}  // namespace macrostep::models::fmi::rules
