// PATCH /api/v1/searches/{id}: a JSON merge patch (RFC 7396) of what a user writes on a search.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_search_change(http::Router& router, Application& application);

}  // namespace macrostep::server
