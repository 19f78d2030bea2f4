// openapi.json: what it describes is there, and what is there it describes. That every answer of
// the other tests is as it says is seen to by their fixtures (tests/openapi_check.hpp).
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "engine/notices/notice.hpp"
#include "server/http/message/policy.hpp"
#include "tests/server/api/api_fixture.hpp"
#include "web/assets.hpp"

namespace macrostep::tests {
namespace {

using Names = std::set<std::string>;
using server::http::Request;
using server::http::Response;

constexpr const char* document_path = "/api/v1/openapi.json";

/// "GET /readyz", with the names of its query parameters.
std::map<std::string, Names> described_routes() {
  std::map<std::string, Names> routes;
  for (const auto& [path, item] : openapi().at("paths").items()) {
    for (const auto& [method, operation] : item.items()) {
      std::string route = method + " " + path;
      std::ranges::transform(route.begin(), route.begin() + static_cast<long>(method.size()),
                             route.begin(), [](unsigned char c) { return std::toupper(c); });
      auto& names = routes[route];
      for (const auto& parameter : operation.value("parameters", Json::array())) {
        if (resolved(parameter).at("in") == "query") {
          names.insert(resolved(parameter).at("name"));
        }
      }
    }
  }
  return routes;
}

/// What a route says of its query parameters when it is asked for one that nobody has.
Names available_parameters(const Api& api, const server::http::Route& route) {
  const auto problem = api.json(route.method, route.pattern + "?nonsense=1", 400, "{}");
  const std::string text = problem.at("detail");
  const std::string begin = "; available: ";
  const auto at = text.find(begin);
  Names names;
  if (at != text.npos) {
    std::stringstream list(text.substr(at + begin.size()));
    for (std::string name; std::getline(list >> std::ws, name, ',');) {
      names.insert(name);
    }
  }
  return names;
}

std::string listed(const Names& names) {
  std::string text;
  for (const auto& name : names) {
    text += " " + name;
  }
  return text.empty() ? " none" : text;
}

TEST_CASE("openapi.json names every code and severity of a notice, and no other") {
  Names codes{"unnamed"};  // of older versions
  Names severities;
  for (const auto& row : engine::notice_sentences()) {
    codes.emplace(row.name);
    severities.emplace(to_string(row.severity));
  }
  const auto& members = openapi().at("/components/schemas/Notice/properties"_json_pointer);
  CHECK(members.at("code").at("enum").get<Names>() == codes);
  CHECK(members.at("severity").at("enum").get<Names>() == severities);
}

TEST_CASE("openapi.json describes every route with its query parameters, and no other") {
  const Api api;
  std::map<std::string, Names> real;
  for (const auto& route : api.router().routes()) {
    if (route.pattern == "/") {
      real["GET /"] = {};  // takes any
    } else if (web::find_asset(route.pattern) == nullptr) {
      real[route.method + " " + route.pattern] = available_parameters(api, route);
    }
  }
  const auto described = described_routes();
  for (const auto& [route, parameters] : real) {
    REQUIRE_MESSAGE(described.contains(route), route << " is not in openapi.json");
    CHECK_MESSAGE(described.at(route) == parameters,
                  "query parameters of " << route << ":" << listed(parameters)
                                         << ", in openapi.json:" << listed(described.at(route)));
  }
  for (const auto& [route, parameters] : described) {
    CHECK_MESSAGE(real.contains(route), route << " is in openapi.json only");
  }
}

TEST_CASE("openapi.json is served as it is in the repository, with the program's version") {
  const Api api;
  std::ifstream file(MACROSTEP_SOURCE_DIR "/server/api/openapi.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(api.call("GET", document_path).body == text);
  CHECK(openapi().at("info").at("version") == MACROSTEP_VERSION);
}

TEST_CASE("every example in openapi.json fits its schema") {
  std::size_t examples = 0;
  for (const auto& [name, schema] : openapi().at("components").at("schemas").items()) {
    for (const auto& example : schema.value("examples", Json::array())) {
      const auto found = misfits("/components/schemas/" + name, example);
      CHECK_MESSAGE(found.empty(), name << " " << (found.empty() ? "" : found.front()));
      ++examples;
    }
  }
  CHECK(examples > 20);
}

/// Checks that objects with members refuse others, in the schema and in those inside it.
void check_closed(const Json& schema, const std::string& where) {
  CHECK_MESSAGE((!schema.contains("properties") || schema.contains("additionalProperties")),
                where << " allows members that it does not name");
  for (const auto& alternative : schema.value("anyOf", Json::array())) {
    check_closed(alternative, where);
  }
  const auto members = schema.value("properties", Json::object());
  for (const auto& [name, member] : members.items()) {
    check_closed(member, where + "." + name);
  }
  if (schema.contains("items")) {
    check_closed(schema.at("items"), where + "[]");
  }
}

TEST_CASE("an object in openapi.json has the members that it names and no others") {
  const std::string part = "CompleteJobMembers";  // of jobs, which are closed themselves
  for (const auto& [name, schema] : openapi().at("components").at("schemas").items()) {
    if (name != part) {
      check_closed(schema, name);
    }
  }
}

/// A request and the answer that departs from the document.
struct Departure {
  const char* what;
  Request request;
  Response response;
};

Request request_for(const std::string& method, const std::string& target,
                    const std::string& body = "") {
  return {.method = method,
          .target = server::http::parse_target(target).value(),
          .headers = {},
          .body = body,
          .id = "test",
          .captures = {}};
}

Response answer(int status, const std::string& body, const std::string& type = "application/json") {
  auto response = server::http::text_response(status, type, body);
  return response.with("x-request-id", "test").with("etag", "\"1\"");
}

TEST_CASE("an answer that departs from openapi.json is found out") {
  const std::string page = R"({"searches": [], "next": null})";
  const std::string searches = "/api/v1/searches";
  CHECK(departures(request_for("GET", searches), answer(200, page)).empty());
  const auto without = [](Response response, const std::string& header) {
    std::erase_if(response.headers, [&](const auto& one) { return one.first == header; });
    return response;
  };
  const std::vector<Departure> table{
      {"the status 418 is", request_for("GET", searches), answer(418, "{}")},
      {"the media type text/html is", request_for("GET", searches), answer(200, page, "text/html")},
      {"Object contains a property", request_for("GET", searches),
       answer(200, R"({"searches": [], "next": null, "more": 1})")},
      {"Missing required property 'next'", request_for("GET", searches),
       answer(200, R"({"searches": []})")},
      {"body: no JSON", request_for("GET", searches), answer(200, "{")},
      {"[searches][0][status]", request_for("GET", searches),
       answer(200, R"({"searches": [{"status": "lost"}], "next": null})")},
      {"the header ETag is missing", request_for("GET", searches),
       without(answer(200, page), "etag")},
      {"the header location is not", request_for("GET", searches),
       answer(200, page).with("location", "/")},
      {"the header set-cookie is not", request_for("GET", searches),
       answer(200, page).with("set-cookie", "a=b")},
      {"the header Vary is missing", request_for("GET", searches + "/1/curves"),
       answer(200, R"({"curves": []})")},
      {"the header WWW-Authenticate is missing", request_for("GET", "/api/v1/nothing"),
       answer(401, page)},
      {"the query parameter colour is not", request_for("GET", searches + "?colour=red"),
       answer(200, page)},
      {"query parameter limit", request_for("GET", searches + "?limit=many"), answer(200, page)},
      {"a body is not documented", request_for("DELETE", searches + "/1"),
       without(answer(204, "gone"), "etag")},
      {"the status should be 404", request_for("GET", "/api/v1/nothing"), answer(200, page)},
      {"the status should be 405", request_for("PUT", searches), answer(200, page)},
      {"Allow should be GET, HEAD, OPTIONS, POST", request_for("PUT", searches),
       answer(405, page).with("allow", "GET")},
      {"request", request_for("POST", searches + "?dry_run=true", R"({"problem": 1})"),
       answer(200, page)},
  };
  for (const auto& [what, request, response] : table) {
    std::string all;
    for (const auto& one : departures(request, response)) {
      all += one + "\n";
    }
    CHECK_MESSAGE(all.find(what) != all.npos, what << " in\n" << all);
  }
}

TEST_CASE("the description asks of a linear subsystem for the matrices that the server asks for") {
  const auto fits = [](const std::vector<std::string>& matrices) {
    Json space = {{"inputs", {{{"name", "u"}}}}, {"outputs", {{{"name", "y"}}}}};
    for (const auto& name : matrices) {
      space[name] = Json::parse("[[1]]");
    }
    return misfits("/components/schemas/StateSpace", space).empty();
  };
  CHECK(fits({"A", "B", "C", "D"}));
  CHECK(fits({"A", "B", "C"}));
  CHECK(fits({"D"}));
  CHECK_FALSE(fits({}));
  CHECK_FALSE(fits({"A", "D"}));
  CHECK_FALSE(fits({"A", "B", "D"}));
}

}  // namespace
}  // namespace macrostep::tests
