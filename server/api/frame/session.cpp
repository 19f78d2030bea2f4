#include "server/api/frame/session.hpp"

#include "server/api/frame/application.hpp"

namespace macrostep::server {

void add_session(http::Router& router, Application& application) {
  router.add("POST", "/api/v1/session", {}, [&application](const http::Request& request) {
    return application.access.begin_session(request);
  });
  router.add("DELETE", "/api/v1/session", {}, [&application](const http::Request& request) {
    return application.access.end_session(request);
  });
}

}  // namespace macrostep::server
