// Whether a map or a tuning is absurd, as cost_limit.hpp says of a search.
#pragma once

#include <optional>
#include <string>

#include "engine/base/field_error.hpp"
#include "engine/cost/cost_estimate.hpp"
#include "engine/studies/map_job.hpp"
#include "engine/studies/tuning.hpp"

namespace macrostep::engine {

/// If it is expected to cost more than the limit: the member of the job that makes it so, with how
/// much. `remedy` says how to have it nevertheless.
std::optional<FieldError> too_costly(const Plan& plan, const MapJob& map,
                                     const ExpectedCost& expected, double limit,
                                     const std::string& remedy);
std::optional<FieldError> too_costly(const Plan& plan, const TuningSettings& tuning,
                                     const ExpectedCost& expected, double limit,
                                     const std::string& remedy);

}  // namespace macrostep::engine
