// Whether a job is absurd: what it is expected to cost against what a server is willing to spend.
// Cost is that of work.hpp: right-hand sides × the weight of their model, of FMUs their
// micro-steps.
#pragma once

#include <optional>
#include <string>

#include "engine/base/field_error.hpp"
#include "engine/cost/cost_estimate.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// The limit for one job: about a day and a half on two threads.
inline constexpr double default_max_job_cost = 1e14;

/// If a search is expected to cost more than the limit: the member of its job that makes it so,
/// with how much. `remedy` says how to have it nevertheless.
std::optional<FieldError> too_costly(const Plan& plan, const CostEstimate& estimate, double limit,
                                     const std::string& remedy);

/// The verdict on a job of any kind: nothing up to the limit, else an error at `pointer`. `what`:
/// "search"; `in`: " in 12 trials".
std::optional<FieldError> beyond_cost_limit(const ExpectedCost& expected, double limit,
                                            const char* what, const std::string& in,
                                            const std::string& remedy, const std::string& pointer);

/// " in 12 trials"
std::string in_trials(const Work& work);

}  // namespace macrostep::engine
