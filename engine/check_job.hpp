// Every mistake of a job, all at once.
#pragma once

#include "engine/field_error.hpp"
#include "engine/job.hpp"
#include "engine/problem.hpp"

namespace macrostep::engine {

/// Without a problem (it could not be built): what does not depend on it.
FieldErrors check_job(const Job& job, const Problem* problem);

}  // namespace macrostep::engine
