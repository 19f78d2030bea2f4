// Single trials run again: their trace, and whether the result is the same.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_traces(http::Router& router, Application& application);

}  // namespace macrostep::server
