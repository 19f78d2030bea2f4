// How far the runs of a configuration with the tests of the job are from the monolithic solution of
// the problem (true_error.hpp).
//
// Measured after a search has ended: it takes no part in what is recommended.
#pragma once

#include <atomic>

#include "engine/ensemble/executor.hpp"
#include "engine/reference/true_error.hpp"

namespace macrostep::engine {

/// The error of the runs with every test of the job, on up to `threads` threads (0: all
/// processors). Absent where one of the runs has none.
MeasuredError measure_error(const Plan& plan, const Configuration& configuration,
                            double macro_step_s, int threads, const std::atomic<bool>* stop,
                            const Executor& executor);

}  // namespace macrostep::engine
