// GET /api/v1/problems and /executors: what jobs may name. They do not change while the program
// runs.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_problems(http::Router& router, Application& application);

}  // namespace macrostep::server
