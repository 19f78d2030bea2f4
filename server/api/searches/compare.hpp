// GET /api/v1/compare: what tells searches apart.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_compare(http::Router& router, Application& application);

}  // namespace macrostep::server
