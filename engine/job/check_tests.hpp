// Whether the test inputs of a job can be run.
#pragma once

#include <cmath>

#include "engine/base/field_error.hpp"
#include "engine/job/job.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

/// No trial is longer.
inline constexpr double max_duration_s = 1e10;

inline bool is_positive(double value) {
  return std::isfinite(value) && value > 0;
}

/// Whether a trial may take this long.
inline bool is_duration(double time_s) {
  return is_positive(time_s) && time_s <= max_duration_s;
}

/// Adds every mistake of the job's tests. Without a problem: what does not depend on it.
void check_tests(const Job& job, const Problem* problem, FieldErrors& errors);

}  // namespace macrostep::engine
