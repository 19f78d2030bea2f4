// What the handlers of the API work on, and the route table made of them.
//
// Handlers are functions from Request to Response over the service and the store: a test calls them
// without a socket. They throw nothing that the store is known to throw.
#pragma once

#include <filesystem>
#include <mutex>
#include <string_view>

#include "db/store.hpp"
#include "server/api/access.hpp"
#include "server/api/answer_cache.hpp"
#include "server/http/router.hpp"
#include "server/service/fmu_store.hpp"
#include "server/service/metrics.hpp"
#include "server/service/search_service.hpp"
#include "server/service/trial_replay.hpp"

namespace macrostep::server::http {
class Listener;
}

namespace macrostep::server::api {

struct Application {
  db::Store& store;
  service::SearchService& service;
  service::TrialReplay& replay;  ///< single trials of stored searches, run again
  service::FmuStore& fmus;
  service::Metrics& metrics;
  service::Log& log;
  Access& access;
  std::filesystem::path database;
  const http::Listener* listener = nullptr;  ///< set before it starts; none in tests
  /// Held by the request that packs an SSP: it takes memory, and one of few threads, for seconds.
  std::mutex packing{};
  AnswerCache answers{};
};

/// All routes: API, health, dashboard. The application must outlive the router.
http::Router make_router(Application& application);

// The groups of routes, each in a file of its own.
void add_health(http::Router& router, Application& application);
void add_metrics(http::Router& router, Application& application);
void add_session(http::Router& router, Application& application);
void add_problems(http::Router& router, Application& application);
void add_searches(http::Router& router, Application& application);
void add_search_list(http::Router& router, Application& application);
void add_search_change(http::Router& router, Application& application);
void add_results(http::Router& router, Application& application);
void add_traces(http::Router& router, Application& application);
void add_compare(http::Router& router, Application& application);
void add_analyses(http::Router& router, Application& application);
void add_fmus(http::Router& router, Application& application);
void add_events(http::Router& router, Application& application);
void add_openapi(http::Router& router);
void add_dashboard(http::Router& router);

/// openapi.json as it was when the program was built.
std::string_view openapi_text();

}  // namespace macrostep::server::api
