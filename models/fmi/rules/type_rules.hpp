// Units and declared types.
#pragma once

#include "models/fmi/rules/raw_description.hpp"

namespace macrostep::models::fmi::rules {

void check_types(const RawDescription& raw, Report& report);

}  // namespace macrostep::models::fmi::rules
