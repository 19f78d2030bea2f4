// Whether a job is absurd: what it is expected to cost against what a server is willing to spend.
#pragma once

#include <optional>
#include <string>

#include "engine/cost_estimate.hpp"
#include "engine/field_error.hpp"

namespace macrostep::engine {

/// Right-hand-side evaluations of one search: about a week on two threads.
inline constexpr double default_max_job_cost = 1e13;

/// If the job is expected to take more evaluations than the limit (of FMUs, micro-steps): the
/// member that makes it so, with how many. `remedy` says how to have it nevertheless.
std::optional<FieldError> too_costly(const Plan& plan, const CostEstimate& estimate, double limit,
                                     const std::string& remedy);

}  // namespace macrostep::engine
