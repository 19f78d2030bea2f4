// How code that is not ours is run, as the options of the command line say it.
#pragma once

#include <cstdint>

namespace macrostep::server {

enum class SandboxMode { bubblewrap, none };

struct ForeignSettings {
  SandboxMode sandbox = SandboxMode::bubblewrap;
  /// For a macro-step, and for the start: loading the library, instantiating, initialising.
  double step_timeout_s = 10;
  double trial_timeout_s = 600;  ///< of a trial
  /// Addresses of a worker: also what is reserved and never touched counts.
  std::int64_t memory_mb = 2000;
  int trials_per_worker = 500;  ///< then its process is replaced, and what it leaked is gone
};

}  // namespace macrostep::server
