// POST and DELETE /api/v1/session: a cookie for browsers, and its end.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_session(http::Router& router, Application& application);

}  // namespace macrostep::server
