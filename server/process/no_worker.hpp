// The error of a worker process that does not start.
#pragma once

#include <stdexcept>

namespace macrostep::server {

/// A worker process could not be started. That is no error of its FMU, and another try may succeed.
struct NoWorker : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace macrostep::server
