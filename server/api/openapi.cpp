#include "server/api/openapi.hpp"

#include <string>

#include "server/api/openapi_text.hpp"

namespace macrostep::server {

void add_openapi(http::Router& router) {
  router.add("GET", "/api/v1/openapi.json", {}, [](const http::Request&) {
    return http::json_response(200, std::string(openapi_text()));
  });
}

}  // namespace macrostep::server
