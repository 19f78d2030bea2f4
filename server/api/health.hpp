// GET /healthz, /readyz: for whoever started the server and whoever watches it.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_health(http::Router& router, Application& application);

}  // namespace macrostep::server
