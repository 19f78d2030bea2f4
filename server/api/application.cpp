#include "server/api/application.hpp"

namespace macrostep::server::api {

http::Router make_router(Application& application) {
  http::Router router;
  add_health(router, application);
  add_metrics(router, application);
  add_session(router, application);
  add_problems(router, application);
  add_searches(router, application);
  add_search_list(router, application);
  add_search_change(router, application);
  add_results(router, application);
  add_traces(router, application);
  add_compare(router, application);
  add_analyses(router, application);
  add_fmus(router, application);
  add_events(router, application);
  add_openapi(router);
  add_dashboard(router);
  return router;
}

}  // namespace macrostep::server::api
