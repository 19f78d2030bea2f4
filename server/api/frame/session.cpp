#include "server/api/frame/session.hpp"

#include "server/respond/respond.hpp"

namespace macrostep::server {

void add_session(http::Router& router, Application& application) {
  Access& access = application.access;
  router.add("POST", "/api/v1/session", knowing({}, [&access](const http::Request& request) {
               return access.begin_session(request);
             }));
  router.add("DELETE", "/api/v1/session", knowing({}, [&access](const http::Request& request) {
               return access.end_session(request);
             }));
}

}  // namespace macrostep::server
