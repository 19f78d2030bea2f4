// /api/v1/fmus: FMUs uploaded, listed, read and deleted.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_fmus(http::Router& router, Application& application);

}  // namespace macrostep::server
