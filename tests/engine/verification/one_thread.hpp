#pragma once

// Runs of the tests of checks: in this process, on one thread.

#include "engine/ensemble/executor.hpp"

namespace macrostep::tests {

inline const engine::Executor executor;
inline const engine::RunsOnThreads one_thread{.executor = executor, .threads = 1};

}  // namespace macrostep::tests
