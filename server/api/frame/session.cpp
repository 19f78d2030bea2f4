#include "server/api/frame/session.hpp"

#include "server/api/frame/guarded.hpp"

namespace macrostep::server {

void add_session(http::Router& router, Application& application) {
  router.add("POST", "/api/v1/session",
             guarded(application, {}, [](Application& app, const http::Request& request) {
               return app.access.begin_session(request);
             }));
  router.add("DELETE", "/api/v1/session",
             guarded(application, {}, [](Application& app, const http::Request& request) {
               return app.access.end_session(request);
             }));
}

}  // namespace macrostep::server
