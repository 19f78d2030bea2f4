#include "server/api/problems.hpp"

#include <nlohmann/json.hpp>

#include "server/api/frame/application.hpp"
#include "server/jobs/problem_json.hpp"
#include "server/respond/respond.hpp"
#include "server/searches/search_batch.hpp"

namespace macrostep::server {

namespace {

/// Made when somebody asks first, not while a server starts.
const nlohmann::ordered_json& problems() {
  static const nlohmann::ordered_json all = json::problems_json();
  return all;
}

}  // namespace

void add_problems(http::Router& router, Application& application) {
  router.add("GET", "/api/v1/executors", {}, [&application](const http::Request&) {
    return json_text_answer(200, executors_json(application.service.planner().batch()));
  });
  router.add("GET", "/api/v1/problems", {},
             [](const http::Request&) { return json_answer(200, problems()); });
  router.add("GET", "/api/v1/problems/{name}", {}, [](const http::Request& request) {
    const auto& name = request.capture("name");
    for (const auto& problem : problems().at("problems")) {
      if (problem.at("name") == name) {
        return json_answer(200, problem);
      }
    }
    return not_found("problem", name);
  });
}

}  // namespace macrostep::server
