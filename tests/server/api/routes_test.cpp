// The route table: documented as it is, and the dashboard at its exact paths.
#include <fstream>
#include <set>
#include <sstream>

#include "server/http/message/policy.hpp"
#include "tests/server/api/api_fixture.hpp"
#include "web/assets.hpp"

namespace macrostep::tests {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(MACROSTEP_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// "GET /readyz" for every table row that begins with one.
std::set<std::string> documented_routes(const std::string& text) {
  const std::string begin = "| `";
  std::set<std::string> routes;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto space = line.find(' ', begin.size());
    if (!line.starts_with(begin) || space == std::string::npos) {
      continue;
    }
    const auto method = line.substr(begin.size(), space - begin.size());
    const bool is_route =
        (method == "GET" || method == "POST" || method == "PATCH" || method == "DELETE") &&
        line[space + 1] == '/';
    if (is_route) {
      routes.insert(line.substr(begin.size(), line.find('`', space) - begin.size()));
    }
  }
  return routes;
}

std::set<std::string> real_routes(const Api& api) {
  std::set<std::string> routes;
  for (const auto& route : api.router().routes()) {
    const bool file_of_dashboard =
        route.pattern != "/" && web::find_asset(route.pattern) != nullptr;
    if (!file_of_dashboard) {
      routes.insert(route.method + " " + route.pattern);
    }
  }
  return routes;
}

TEST_CASE("server/README.md lists exactly the routes there are") {
  const Api api;
  const auto text = text_of("server/README.md");
  const auto begin = text.find("<!-- routes -->");
  const auto end = text.find("<!-- end of routes -->");
  REQUIRE(begin < end);
  REQUIRE(end != std::string::npos);
  CHECK(documented_routes(text.substr(begin, end - begin)) == real_routes(api));
}

TEST_CASE("what may take seconds is done beside the threads that answer the others") {
  const Api api;
  std::set<std::string> lengthy;
  for (const auto& route : api.router().routes()) {
    if (route.work == server::http::Work::lengthy) {
      lengthy.insert(route.method + " " + route.pattern);
    }
  }
  const std::string search = "/api/v1/searches/{id}";
  CHECK(lengthy == std::set<std::string>{"GET " + search + "/curves", "GET " + search + "/export",
                                         "GET " + search + "/trials/{n}/trace",
                                         "POST " + search + "/trials/{n}/rerun",
                                         "GET /api/v1/compare", "GET /api/v1/analyses/{id}/export",
                                         "POST /api/v1/fmus", "GET /api/v1/fmus/{sha256}",
                                         "DELETE /api/v1/fmus/{sha256}"});
}

TEST_CASE("a submission is done beside the others where its job names FMUs, and only there") {
  const Api api;
  std::set<std::string> told_by_request;
  for (const auto& route : api.router().routes()) {
    if (!route.work_of) {
      continue;
    }
    told_by_request.insert(route.method + " " + route.pattern);
    const auto work = [&](const Json& job) {
      return work_of(route, {.method = route.method,
                             .target = server::http::parse_target(route.pattern).value(),
                             .headers = {},
                             .body = job.dump(),
                             .id = "test",
                             .captures = {}});
    };
    CHECK(work(small_job()) == server::http::Work::quick);
    CHECK(work({{"problem", {{"subsystems", {{{"name", "m"}, {"fmu", "mass.fmu"}}}}}}}) ==
          server::http::Work::lengthy);
  }
  CHECK(told_by_request == std::set<std::string>{"POST /api/v1/searches", "POST /api/v1/analyses"});
}

TEST_CASE("every route refuses a query parameter that it does not have, or that is repeated") {
  const Api api;
  for (const auto& route : api.router().routes()) {
    CAPTURE(route.pattern);
    if (route.pattern == "/") {
      continue;
    }
    api.json(route.method, route.pattern + "?nonsense=1", 400, "{}");
  }
  api.json("GET", "/api/v1/searches?limit=1&limit=2", 400);
  api.json("POST", "/api/v1/searches?dry_run=true&dry_run=false", 400, "{}");
  // The page keeps its view there, and a reload must find it.
  CHECK(api.call("GET", "/?search=1&y=relative").status == 200);
}

TEST_CASE("README.md lists the routes there are but the dashboard's") {
  const Api api;
  auto real = real_routes(api);
  CHECK(real.erase("GET /") == 1);
  CHECK(documented_routes(text_of("README.md")) == real);
}

TEST_CASE("the dashboard is at its exact paths, with a tag, and nothing else is served") {
  const Api api;
  for (const auto& asset : web::assets()) {
    const std::string path(asset.path);
    const auto response = api.call("GET", path);
    CHECK(response.status == 200);
    CHECK(*response.header("content-type") == asset.content_type);
    CHECK(*response.header("etag") == asset.etag);
    CHECK(response.body == asset.body);
    CHECK(api.call("HEAD", path).status == 200);
    CHECK(api.call("POST", path).status == 405);
  }
  CHECK(api.call("GET", "/").status == 200);
  for (const auto* path : {"/index.htm", "/..", "/%2e%2e/etc/passwd", "//", "/assets"}) {
    CHECK_MESSAGE(api.call("GET", path).status == 404, path);
  }
}

TEST_CASE("a client that has an answer already is told so") {
  const Api api;
  server::http::Request request{.method = "GET",
                                .target = server::http::parse_target("/api/v1/problems").value(),
                                .headers = {},
                                .body = {},
                                .id = "test",
                                .captures = {}};
  auto response = api.router().handle(request, api.router().find(request));
  server::http::complete_response(request, response);
  request.headers.emplace_back("if-none-match", *response.header("etag"));
  auto again = api.router().handle(request, api.router().find(request));
  server::http::complete_response(request, again);
  CHECK(again.status == 304);
  CHECK(again.body.empty());
}

}  // namespace
}  // namespace macrostep::tests
