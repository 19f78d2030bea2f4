// /api/v1/analyses: maps and tunings submitted, listed, read, cancelled, deleted and exported.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_analyses(http::Router& router, Application& application);

}  // namespace macrostep::server
