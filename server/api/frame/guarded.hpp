// Handlers whose known failures, of the store and of FMUs, are answers.
#pragma once

#include "server/http/server/router.hpp"
#include "server/ops/log.hpp"

namespace macrostep::server {

/// The handler with the errors of the store, and of FMUs that cannot be read, turned into answers.
http::Handler guarded(Log& log, http::Handler handler);

}  // namespace macrostep::server
