#include "server/api/routes.hpp"

#include "server/api/analyses.hpp"
#include "server/api/dashboard.hpp"
#include "server/api/fmus.hpp"
#include "server/api/frame/failure.hpp"
#include "server/api/frame/session.hpp"
#include "server/api/health.hpp"
#include "server/api/metrics.hpp"
#include "server/api/openapi.hpp"
#include "server/api/problems.hpp"
#include "server/api/searches/compare.hpp"
#include "server/api/searches/events.hpp"
#include "server/api/searches/results.hpp"
#include "server/api/searches/search_change.hpp"
#include "server/api/searches/search_list.hpp"
#include "server/api/searches/searches.hpp"
#include "server/api/searches/traces.hpp"

namespace macrostep::server {

http::Router make_router(Application& application) {
  http::Router router(bound(application, answer_failure));
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

}  // namespace macrostep::server
