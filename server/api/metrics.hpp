// GET /metrics: what Prometheus collects.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_metrics(http::Router& router, Application& application);

}  // namespace macrostep::server
