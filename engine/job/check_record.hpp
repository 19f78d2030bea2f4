// Whether the points of a recorded test make a function of time.
#pragma once

#include <string>

#include "engine/base/field_error.hpp"
#include "models/subsystem/signal.hpp"

namespace macrostep::engine {

/// Adds what is wrong with a record, or that there is none; `pointer` is that of its members.
void check_record(const models::Record* record, const std::string& pointer, FieldErrors& errors);

}  // namespace macrostep::engine
