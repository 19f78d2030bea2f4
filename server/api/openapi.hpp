// GET /api/v1/openapi.json: the description of this API, written by hand in openapi.json.
#pragma once

#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_openapi(http::Router& router);

}  // namespace macrostep::server
