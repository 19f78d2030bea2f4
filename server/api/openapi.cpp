#include "server/api/openapi.hpp"

#include <string>

#include "server/api/frame/guarded.hpp"
#include "server/api/openapi_text.hpp"

namespace macrostep::server {

void add_openapi(http::Router& router, Application& application) {
  router.add("GET", "/api/v1/openapi.json",
             guarded(application, {}, [](Application&, const http::Request&) {
               return http::json_response(200, std::string(openapi_text()));
             }));
}

}  // namespace macrostep::server
