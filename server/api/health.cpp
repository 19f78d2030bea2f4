// GET /healthz, /readyz: for whoever started the server and whoever watches it.
#include <nlohmann/json.hpp>
#include <string>

#include "db/error.hpp"
#include "server/api/respond.hpp"

namespace macrostep::server::api {

void add_health(http::Router& router, Application& application) {
  router.add("GET", "/healthz", knowing({}, [](const http::Request&) {
               return json_answer(200, {{"status", "ok"}});
             }));
  router.add("GET", "/readyz", knowing({}, [&application](const http::Request&) {
               if (!application.service.accepting()) {
                 return http::problem_response(503, "The server is starting or stopping");
               }
               if (const auto trouble = application.service.trouble()) {
                 return http::problem_response(503, "The database takes nothing: " + *trouble);
               }
               try {
                 application.store.probe();
               } catch (const db::Error& error) {
                 return http::problem_response(
                     503, std::string("The database cannot be used: ") + error.what());
               }
               return json_answer(200, {{"status", "ready"}});
             }));
}

}  // namespace macrostep::server::api
