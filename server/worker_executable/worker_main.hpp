// The executable macrostep-worker: what main() calls.
#pragma once

#include "engine/ensemble/trial_backend.hpp"

namespace macrostep::server {

/// Runs what the command line asks for (workers/worker_protocol.hpp): process 1 of a sandbox with a
/// worker, or a worker alone. Trials run by `backend`. Returns the exit code where that is not
/// what a worker is started with, or it cannot begin; says why on stderr.
int run_worker_executable(int argc, char** argv, const engine::TrialBackend& backend);

}  // namespace macrostep::server
