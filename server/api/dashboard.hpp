// The dashboard: the table of files compiled into the program, by exact path.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_dashboard(http::Router& router, Application& application);

}  // namespace macrostep::server
