#pragma once

// Runs of the tests of checks: in this process, on one thread.

#include "engine/ensemble/trial_backend.hpp"

namespace macrostep::tests {

inline const engine::RunsOnThreads one_thread{.backend = engine::this_process(), .threads = 1};

}  // namespace macrostep::tests
