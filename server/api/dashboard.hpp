// The dashboard: the table of files compiled into the program, by exact path.
#pragma once

#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_dashboard(http::Router& router);

}  // namespace macrostep::server
