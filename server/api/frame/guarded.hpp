// What every handler of the API is wrapped in: it refuses unknown query parameters, and turns known
// failures, of the store and of FMUs, into answers.
#pragma once

#include <functional>

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"
#include "server/respond/respond.hpp"

namespace macrostep::server {

using ApiHandler = std::function<http::Response(Application&, const http::Request&)>;

/// The handler of a route with these query parameters and no others.
http::Handler guarded(Application& application, Parameters known, ApiHandler handler);

}  // namespace macrostep::server
