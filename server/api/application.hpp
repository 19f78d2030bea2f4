// What the handlers of the API work on, and the route table made of them.
//
// Handlers are functions from Request to Response over the service and the store: a test calls them
// without a socket. They throw nothing that the store is known to throw.
#pragma once

#include "db/store.hpp"
#include "server/http/router.hpp"
#include "server/service/fmu_store.hpp"
#include "server/service/search_service.hpp"

namespace macrostep::server::api {

struct Application {
  db::Store& store;
  service::SearchService& service;
  service::FmuStore& fmus;
  service::Log& log;
};

/// All routes: API, health, dashboard. The application must outlive the router.
http::Router make_router(Application& application);

// The groups of routes, each in a file of its own.
void add_health(http::Router& router, Application& application);
void add_problems(http::Router& router);
void add_searches(http::Router& router, Application& application);
void add_results(http::Router& router, Application& application);
void add_traces(http::Router& router, Application& application);
void add_compare(http::Router& router, Application& application);
void add_analyses(http::Router& router, Application& application);
void add_fmus(http::Router& router, Application& application);
void add_events(http::Router& router, Application& application);
void add_dashboard(http::Router& router);

}  // namespace macrostep::server::api
