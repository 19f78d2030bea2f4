// The plan that is run, of the plan as it was asked for: with the numbers that a job leaves open,
// which a driver finds by runs before it scans.
#pragma once

#include <variant>

#include "engine/base/field_error.hpp"
#include "engine/ensemble/trial_backend.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// Where nothing is found, the assumed numbers stay. The plan as it is where the job leaves nothing
/// open, or where the stop flag ends it: then it is still open. Mistakes are those of make_plan():
/// what a member of the job does not allow with the numbers found.
std::variant<Plan, FieldErrors> resolve(const Plan& asked, const RunsOnThreads& runs);

}  // namespace macrostep::engine
