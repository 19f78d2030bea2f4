// The parts of the HTTP layer that need no socket: routes, targets, problems, policy, events.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "server/http/message/events.hpp"
#include "server/http/message/policy.hpp"
#include "server/http/message/problem.hpp"
#include "server/http/server/router.hpp"

using namespace macrostep::server::http;

namespace {

Request request_to(std::string method, std::string_view target) {
  Request request;
  request.method = std::move(method);
  request.target = parse_target(target).value();
  request.headers = {{"host", "127.0.0.1:8080"}};
  request.id = "test-1";
  return request;
}

Handler says(std::string text) {
  return [text](const Request&) { return text_response(200, "text/plain", text); };
}

Router sample_router() {
  Router router;
  router.add("GET", "/", says("home"));
  router.add("GET", "/searches", says("list"));
  router.add("POST", "/searches", says("create"));
  router.add("GET", "/searches/{id}", [](const Request& request) {
    return text_response(200, "text/plain", "search " + request.capture("id"));
  });
  router.add("GET", "/searches/recent", says("recent"));
  router.add("DELETE", "/searches/{id}", says("delete"));
  router.add("GET", "/searches/{id}/trials/{n}", [](const Request& request) {
    return text_response(200, "text/plain", request.capture("id") + '#' + request.capture("n"));
  });
  return router;
}

Response answer_of(const Router& router, const std::string& method, const std::string& target) {
  const Request request = request_to(method, target);
  return router.handle(request, router.find(request));
}

}  // namespace

TEST_CASE("a route with named query parameters refuses others, and one given twice") {
  Router router;
  router.add("GET", "/any", says("any"));
  router.add("GET", "/none", {}, says("none"));
  router.add("GET", "/some", {"limit", "after"}, says("some"));
  CHECK(answer_of(router, "GET", "/any?x=1&x=2").status == 200);
  CHECK(answer_of(router, "GET", "/none").status == 200);
  CHECK(answer_of(router, "GET", "/none?limit=1").status == 400);
  CHECK(answer_of(router, "GET", "/some?after=1&limit=2").body == "some");
  const auto refusal = answer_of(router, "GET", "/some?limti=1");
  CHECK(refusal.status == 400);
  CHECK(refusal.body.find("limti") != std::string::npos);
  CHECK(refusal.body.find("available: limit, after") != std::string::npos);
  CHECK(answer_of(router, "GET", "/some?limit=1&limit=1").status == 400);
}

TEST_CASE("a failure that the router knows is answered, another one is thrown on") {
  Router router([](const Request& request, const std::exception& failure) {
    return dynamic_cast<const std::out_of_range*>(&failure) != nullptr
               ? std::optional(text_response(503, "text/plain", request.id + failure.what()))
               : std::nullopt;
  });
  router.add("GET", "/known", [](const Request&) -> Response { throw std::out_of_range(" far"); });
  router.add("GET", "/other", [](const Request&) -> Response { throw std::length_error("long"); });
  const auto answer = answer_of(router, "GET", "/known");
  CHECK(answer.status == 503);
  CHECK(answer.body == "test-1 far");
  CHECK_THROWS_AS(answer_of(router, "GET", "/other"), std::length_error);
}

TEST_CASE("a target is split before it is decoded") {
  const auto target = parse_target("/a%2Fb/c%20d//?x=1&y=a+b%26&flag&x=2").value();
  CHECK(target.segments == std::vector<std::string>{"a/b", "c d", "", ""});
  CHECK(*find_value(target.query, "x") == "1");
  CHECK(*find_value(target.query, "y") == "a b&");
  CHECK(find_value(target.query, "flag")->empty());
  CHECK(parse_target("/")->segments.empty());
  CHECK(parse_target("/%C3%A9")->segments[0] == "\xC3\xA9");
}

TEST_CASE("targets that could be read in two ways are refused") {
  for (const char* text :
       {"", "*", "a", "http://evil/a", "/a#b", "/%", "/%4", "/%zz", "/%00", "/%0a", "/%7f", "/%ff",
        "/%c0%af", "/%ed%a0%80", "/%f4%90%80%80", "/%c3", "/?q=%ff", "/?%0d=1"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_target(text).has_value());
  }
  std::string deep;
  for (int i = 0; i < 65; ++i) {
    deep += "/a";
  }
  CHECK_FALSE(parse_target(deep).has_value());
}

TEST_CASE("routes match by method and segments, literals before captures") {
  const Router router = sample_router();
  CHECK(answer_of(router, "GET", "/").body == "home");
  CHECK(answer_of(router, "GET", "/searches").body == "list");
  CHECK(answer_of(router, "POST", "/searches").body == "create");
  CHECK(answer_of(router, "GET", "/searches/recent").body == "recent");
  CHECK(answer_of(router, "GET", "/searches/a%2Fb").body == "search a/b");
  CHECK(answer_of(router, "GET", "/searches/7/trials/12").body == "7#12");
  CHECK(answer_of(router, "HEAD", "/searches/7").body == "search 7");
  CHECK(answer_of(router, "DELETE", "/searches/recent").body == "delete");
}

TEST_CASE("paths and methods without a route are 404 and 405 with Allow") {
  const Router router = sample_router();
  for (const char* path :
       {"/nothing", "/searches/", "/searches/7/", "//searches", "/../searches"}) {
    CAPTURE(path);
    CHECK(answer_of(router, "GET", path).status == 404);
  }
  const Response refused = answer_of(router, "PUT", "/searches/7");
  CHECK(refused.status == 405);
  CHECK(*refused.header("allow") == "DELETE, GET, HEAD, OPTIONS");
  const Response options = answer_of(router, "OPTIONS", "/searches");
  CHECK(options.status == 204);
  CHECK(*options.header("allow") == "GET, HEAD, OPTIONS, POST");
}

TEST_CASE("a request's destination is the pattern of its path, whatever the method") {
  const Router router = sample_router();
  const auto found = router.find(request_to("HEAD", "/searches/recent"));
  REQUIRE(found.route != nullptr);
  CHECK(found.route->method == "GET");
  CHECK(found.pattern == "/searches/recent");
  CHECK(router.find(request_to("DELETE", "/searches/recent")).pattern == "/searches/{id}");
  CHECK(router.find(request_to("PUT", "/searches/7")).route == nullptr);
  CHECK(router.find(request_to("PUT", "/searches/7")).pattern == "/searches/{id}");
  CHECK(router.find(request_to("GET", "/nothing")).pattern.empty());
}

TEST_CASE("the route table can be enumerated and refuses a route added twice") {
  Router router = sample_router();
  CHECK(router.routes().size() == 7);
  CHECK(router.routes()[3].pattern == "/searches/{id}");
  CHECK_THROWS_AS(router.add("GET", "/searches/{name}", says("")), std::logic_error);
  CHECK_THROWS_AS(router.add("GET", "searches", says("")), std::logic_error);
}

TEST_CASE("a problem is RFC 9457 JSON with a pointer for every mistake") {
  Problem problem;
  problem.status = 422;
  problem.type = "/problems/invalid-job";
  problem.title = "The job is invalid";
  problem.detail = "2 mistakes";
  problem.errors = {{"/search/macro_step/initial_s", "must be positive"}, {"/x", "unknown \xff"}};
  const Response response = problem_response(problem);
  CHECK(response.status == 422);
  CHECK(*response.header("content-type") == "application/problem+json");
  const auto json = nlohmann::json::parse(response.body);
  CHECK(json["type"] == "/problems/invalid-job");
  CHECK(json["status"] == 422);
  CHECK(json["errors"][0]["pointer"] == "/search/macro_step/initial_s");
  CHECK(json["errors"][1]["detail"] == "unknown \xEF\xBF\xBD");

  const auto general = nlohmann::json::parse(problem_response(404, "no search 7").body);
  CHECK(general["type"] == "/problems/not-found");
  CHECK(general["title"] == "Not Found");
  CHECK_FALSE(general.contains("errors"));
}

TEST_CASE("the bound address is a name of this server") {
  for (const std::string address : {"192.168.1.5", "[fd00::5]"}) {
    const auto hosts = accepted_hosts(8080, {}, address);
    CHECK(std::ranges::find(hosts, address + ":8080") != hosts.end());
    CHECK(std::ranges::find(hosts, address) == hosts.end());
  }
  CHECK(accepted_hosts(8080, {}, "").size() == accepted_hosts(8080, {}).size());
}

TEST_CASE("only the names of this server are accepted as Host") {
  const auto hosts = accepted_hosts(8080, {"Rig.example", "proxy.example:443", "[fd00::1]"});
  const auto status = [&](const std::string& host) {
    Request request = request_to("GET", "/");
    request.headers = {{"host", host}};
    const auto refusal = refuse(request, false, hosts);
    return refusal ? refusal->status : 0;
  };
  for (const char* host : {"127.0.0.1:8080", "LOCALHOST:8080", "[::1]:8080", "rig.example",
                           "rig.example:8080", "proxy.example:443", "[fd00::1]:8080"}) {
    CAPTURE(host);
    CHECK(status(host) == 0);
  }
  for (const char* host : {"", "localhost", "127.0.0.1:8081", "evil.example:8080",
                           "127.0.0.1:8080.evil.example", "proxy.example", "127.0.0.1:8080 "}) {
    CAPTURE(host);
    CHECK(status(host) == 421);
  }
}

TEST_CASE("state is changed only by this site's pages and by clients that are not browsers") {
  const auto hosts = accepted_hosts(8080, {});
  const auto status = [&](std::string method, std::vector<NamedValue> headers) {
    Request request = request_to(std::move(method), "/");
    request.headers.insert(request.headers.end(), headers.begin(), headers.end());
    const auto refusal = refuse(request, false, hosts);
    return refusal ? refusal->status : 0;
  };
  CHECK(status("POST", {}) == 0);
  CHECK(status("POST", {{"origin", "http://127.0.0.1:8080"}}) == 0);
  CHECK(status("POST", {{"sec-fetch-site", "same-origin"}}) == 0);
  CHECK(status("POST", {{"origin", "http://evil.example"}}) == 403);
  CHECK(status("POST", {{"origin", "null"}}) == 403);
  CHECK(status("POST", {{"origin", "http://localhost:8080"}}) == 403);
  CHECK(status("DELETE", {{"sec-fetch-site", "cross-site"}}) == 403);
  CHECK(status("POST", {{"sec-fetch-site", "same-site"}}) == 403);
  CHECK(status("POST", {{"sec-fetch-site", "cross-site"}, {"sec-fetch-mode", "navigate"}}) == 403);
  CHECK(status("GET", {{"sec-fetch-site", "cross-site"}, {"sec-fetch-mode", "navigate"}}) == 0);
  CHECK(status("GET", {{"sec-fetch-site", "cross-site"}, {"sec-fetch-mode", "no-cors"}}) == 403);
  CHECK(status("GET", {{"sec-fetch-site", "none"}}) == 0);
}

TEST_CASE("bodies that change state are application/json, not encoded") {
  const auto hosts = accepted_hosts(8080, {});
  const auto status = [&](std::vector<NamedValue> headers, const char* method = "POST") {
    Request request = request_to(method, "/");
    request.headers.insert(request.headers.end(), headers.begin(), headers.end());
    const auto refusal = refuse(request, true, hosts);
    return refusal ? refusal->status : 0;
  };
  CHECK(status({{"content-type", "application/json"}}) == 0);
  CHECK(status({{"content-type", "Application/JSON; charset=utf-8"}}) == 0);
  CHECK(status({}) == 415);
  CHECK(status({{"content-type", "text/plain"}}) == 415);
  CHECK(status({{"content-type", "text/plain;application/json"}}) == 415);
  CHECK(status({{"content-type", "application/json"}, {"content-encoding", "gzip"}}) == 415);
  CHECK(status({{"content-type", "application/merge-patch+json"}}) == 415);
  CHECK(status({{"content-type", "application/merge-patch+json"}}, "PATCH") == 0);
  CHECK(status({{"content-type", "application/json"}}, "PATCH") == 0);
  CHECK(status({{"content-type", "text/plain"}}, "PATCH") == 415);
  CHECK(status({{"content-type", "application/json"}, {"expect", "magic"}}) == 417);
}

TEST_CASE("every response carries the security headers, and a known ETag makes it 304") {
  Request request = request_to("GET", "/");
  Response response = json_response(200, "{}");
  complete_response(request, response);
  CHECK(response.header("content-security-policy")->find("default-src 'self'") == 0);
  CHECK(response.header("content-security-policy")->find("frame-ancestors 'none'") !=
        std::string::npos);
  CHECK(*response.header("x-content-type-options") == "nosniff");
  CHECK(*response.header("referrer-policy") == "no-referrer");
  CHECK(*response.header("cross-origin-resource-policy") == "same-origin");
  CHECK(*response.header("x-request-id") == "test-1");

  request.headers.emplace_back("if-none-match", "\"other\", W/" + *response.header("etag"));
  Response again = json_response(200, "{}");
  complete_response(request, again);
  CHECK(again.status == 304);
  CHECK(again.body.empty());
  Response changed = json_response(200, "{\"a\":1}");
  complete_response(request, changed);
  CHECK(changed.status == 200);
}

TEST_CASE("If-Match names an ETag among others, or any, and without it everything matches") {
  auto request = request_to("PATCH", "/");
  const std::string etag = "\"now\"";
  CHECK(still_matches(request, etag));
  request.headers.emplace_back("if-match", "\"before\"");
  CHECK_FALSE(still_matches(request, etag));
  request.headers.emplace_back("if-match", "\"older\", \"now\"");
  CHECK(still_matches(request, etag));
  CHECK_FALSE(still_matches(request, "\"later\""));
  request.headers.emplace_back("if-match", "*");
  CHECK(still_matches(request, "\"later\""));
}

TEST_CASE("a header value cannot start another header") {
  Response response;
  response.with("location", "/a\r\nset-cookie: b");
  const std::string text = response_text(request_to("GET", "/"), response, true);
  CHECK(text.find("location: /a  set-cookie: b\r\n") != std::string::npos);
  CHECK(text.find("\r\nset-cookie") == std::string::npos);
}

TEST_CASE("an event is framed so that no part of it can forge another") {
  CHECK(event_frame({7, "points", R"({"a":1})"}) == "id: 7\nevent: points\ndata: {\"a\":1}\n\n");
  CHECK(event_frame({8, "", "a\nb\r\nc\rd"}) == "id: 8\ndata: a\ndata: b\ndata: c\ndata: d\n\n");
  CHECK(event_frame({9, "x\nid: 1", "\n\nid: 2"}) ==
        "id: 9\nevent: x id: 1\ndata: \ndata: \ndata: id: 2\n\n");
}

TEST_CASE("the hub wakes subscribers until they end their subscription") {
  EventHub hub;
  int wakes = 0;
  {
    auto first = hub.subscribe([&] { ++wakes; });
    auto second = hub.subscribe([&] { wakes += 10; });
    hub.notify();
    CHECK(wakes == 11);
    first = {};
    hub.notify();
    CHECK(wakes == 21);
  }
  hub.notify();
  CHECK(wakes == 21);
}

TEST_CASE("Last-Event-ID is a sequence or nothing") {
  Request request = request_to("GET", "/events");
  CHECK_FALSE(request.last_event_id().has_value());
  for (const char* text : {"", "abc", "-1", "1x", "99999999999999999999"}) {
    request.headers = {{"last-event-id", text}};
    CHECK_FALSE(request.last_event_id().has_value());
  }
  request.headers = {{"last-event-id", "42"}};
  CHECK(request.last_event_id() == 42);
}
