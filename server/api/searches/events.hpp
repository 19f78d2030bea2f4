// GET /api/v1/events: the persisted events of one search, or of all, as a stream.
//
// One search: everything that is stored of it, then what follows; the stream ends after `finished`,
// and 204 tells a browser that comes back to stay away. All searches: from now on, or from
// Last-Event-ID; it never ends. A Last-Event-ID beyond the newest event is of another database: as
// if there were none.
#pragma once

#include "server/api/frame/application.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

void add_events(http::Router& router, Application& application);

}  // namespace macrostep::server
