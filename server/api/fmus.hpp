// /api/v1/fmus: FMUs uploaded, listed, read and deleted.
#pragma once

#include "server/api/application.hpp"
#include "server/http/router.hpp"

namespace macrostep::server::api {

void add_fmus(http::Router& router, Application& application);

}  // namespace macrostep::server::api
