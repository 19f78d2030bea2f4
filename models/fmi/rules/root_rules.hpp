// The root element, the interfaces, the default experiment and the log categories.
#pragma once

#include "models/fmi/rules/raw_description.hpp"

namespace macrostep::models::fmi::rules {

void check_root(const RawDescription& raw, Report& report);

}  // namespace macrostep::models::fmi::rules
