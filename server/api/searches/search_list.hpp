// GET /api/v1/searches: what of them is listed, and in which order.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_search_list(http::Router& router, Application& application);

}  // namespace macrostep::server
