// /api/v1/searches: submitting, reading, cancelling, resuming and deleting searches.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_searches(http::Router& router, Application& application);

}  // namespace macrostep::server
