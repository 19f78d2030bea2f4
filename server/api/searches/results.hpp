// What a search has found: curves, trials, and all of it as one file.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_results(http::Router& router, Application& application);

}  // namespace macrostep::server
