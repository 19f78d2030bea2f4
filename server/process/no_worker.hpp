// The error of a worker process that does not start.
#pragma once

#include <stdexcept>

namespace macrostep::server {

/// No process begins to work: that says nothing of what it was to run, and may be over soon.
struct NoWorker : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace macrostep::server
