// Every mistake of a job, all at once.
#pragma once

#include <optional>

#include "engine/base/field_error.hpp"
#include "engine/job/job.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

/// Points of the fit of a linear region: with fewer a curve looks like a line, and no test gives
/// more.
inline constexpr int min_fit_points = 3;
inline constexpr int max_fit_points = 1000;

/// More micro-steps than this in one macro-step are refused.
inline constexpr double max_micro_steps_per_macro_step = 1e6;

/// Where until_s is the mistake, which is no member of the job.
inline constexpr const char* end_pointer = "/until_s";

/// Without a problem (it could not be built): what does not depend on it. Trials end at until_s, if
/// given, which is_duration(): earlier or later than the tests.
FieldErrors check_job(const Job& job, const Problem* problem,
                      std::optional<double> until_s = std::nullopt);

}  // namespace macrostep::engine
