// Process 1 of a sandbox. It starts the worker as process 2, tells how that ended, and ends; the
// kernel then ends every process that is left inside.
//
// It cannot be traced, and its memory cannot be read or written, by the worker: it is not dumpable.
// After the start it can only wait, write and exit (seccomp.hpp). As process 1 itself the worker
// could not be ended by abort(), SIGTERM or its own SIGKILL.
#pragma once

#include <functional>

#include "server/process/limits.hpp"

namespace macrostep::server {

/// Limits this process and starts a process that calls `worker`. Writes its WorkerEnd to
/// worker_status when it has ended. Throws std::system_error if it cannot be started.
[[noreturn]] void run_init(const Limits& limits, const std::function<void()>& worker);

}  // namespace macrostep::server
