// Start values, limits and nominal values; dimensions of arrays.
#pragma once

#include "models/fmi/rules/raw_description.hpp"

namespace macrostep::models::fmi::rules {

void check_starts(const RawDescription& raw, Report& report);

}  // namespace macrostep::models::fmi::rules
