// The worker itself: takes jobs and tasks from a socket, runs them one after the other, and
// answers. It is made to be killed: whatever the code of an FMU does to it, the program that
// started it goes on.
#pragma once

#include "engine/ensemble/trial_backend.hpp"

namespace macrostep::server {

/// Until the other side closes the socket, then ends the process at once. Foreign code is permitted
/// from here on. Throws what is wrong with the descriptors or the frames.
[[noreturn]] void run_worker(const engine::TrialBackend& backend);

}  // namespace macrostep::server
