// The route table of the server.
//
// Handlers are functions from Request to Response over the service and the store: a test calls them
// without a socket. They throw nothing that the store is known to throw.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

/// All routes: API, health, dashboard. The application must outlive the router.
http::Router make_router(Application& application);

}  // namespace macrostep::server
