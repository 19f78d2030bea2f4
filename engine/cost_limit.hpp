// Whether a job is absurd: what it is expected to cost against what a server is willing to spend.
// Cost is that of work.hpp: right-hand sides × the weight of their model, of FMUs their
// micro-steps.
#pragma once

#include <optional>
#include <string>

#include "engine/cost_estimate.hpp"
#include "engine/field_error.hpp"
#include "engine/map_job.hpp"
#include "engine/tuning.hpp"

namespace macrostep::engine {

/// Of one job: about a day and a half on two threads.
inline constexpr double default_max_job_cost = 1e14;

// If a job is expected to cost more than the limit: the member that makes it so, with how much.
// `remedy` says how to have it nevertheless.

std::optional<FieldError> too_costly(const Plan& plan, const CostEstimate& estimate, double limit,
                                     const std::string& remedy);
std::optional<FieldError> too_costly(const Plan& plan, const MapJob& map,
                                     const ExpectedCost& expected, double limit,
                                     const std::string& remedy);
std::optional<FieldError> too_costly(const Plan& plan, const TuningSettings& tuning,
                                     const ExpectedCost& expected, double limit,
                                     const std::string& remedy);

}  // namespace macrostep::engine
