// Jobs as JSON: what a user may write, and the complete form in which a job is kept.
//
// Every member but `problem` is optional; absent ones take the problem's default. Objects are
// merged with the default member by member (parameters, micro-steps, integrators, macro_step, …),
// lists replace theirs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/job/job.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::server::json {

/// The normal form: every member present, every default filled in. Reading it gives the same job.
nlohmann::ordered_json job_json(const engine::Job& job);

/// The job with a space that leaves one configuration.
engine::Job narrowed(engine::Job job, const engine::Configuration& configuration);

}  // namespace macrostep::server::json
