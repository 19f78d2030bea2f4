// How far runs of a configuration are from the monolithic solution of the problem (reference.hpp).
//
// Measured after a search has ended: it takes no part in what is recommended.
#pragma once

#include <atomic>

#include "engine/recommendation.hpp"
#include "engine/reference.hpp"

namespace macrostep::engine {

/// Of one run.
MeasuredError error_in_test(const Plan& plan, const Configuration& configuration,
                            const TestInput& test, double macro_step_s,
                            const std::atomic<bool>* stop);

/// Of the runs with every test of the job, on up to `threads` threads (0: all processors). Absent
/// where one of the runs has none.
MeasuredError measure_error(const Plan& plan, const Configuration& configuration,
                            double macro_step_s, int threads, const std::atomic<bool>* stop);

}  // namespace macrostep::engine
