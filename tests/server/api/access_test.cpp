// Who may use a server with a token, without sockets.
#include <fstream>
#include <set>

#include "tests/server/api/api_fixture.hpp"
#include "web/assets.hpp"

namespace macrostep::tests {
namespace {

using server::Access;
using server::http::NamedValue;
using server::http::Request;

const std::string good_token = "0123456789abcdef";

Request request_for(const std::string& method, const std::string& path,
                    std::vector<NamedValue> headers = {}) {
  headers.emplace_back("host", "127.0.0.1:8080");
  return {.method = method,
          .target = server::http::parse_target(path).value(),
          .headers = std::move(headers),
          .body = {},
          .id = "test",
          .captures = {}};
}

NamedValue bearer(const std::string& token) {
  return {"authorization", "Bearer " + token};
}

/// The answer to a request, held against openapi.json.
server::http::Response documented(const Request& request, server::http::Response response) {
  check_documented(request, response);
  return response;
}

/// "macrostep_session_8080=VALUE" of an answer that sets it.
std::string cookie_of(const server::http::Response& response) {
  const auto* cookie = response.header("set-cookie");
  REQUIRE(cookie != nullptr);
  return cookie->substr(0, cookie->find(';'));
}

TEST_CASE("a server without a token refuses nobody, and needs no session") {
  Access access;
  CHECK_FALSE(access.refuse(request_for("GET", "/api/v1/searches")).has_value());
  CHECK_FALSE(access.refuse(request_for("GET", "/metrics", {bearer("")})).has_value());
  const auto begin = request_for("POST", "/api/v1/session");
  const auto session = documented(begin, access.begin_session(begin));
  CHECK(session.status == 204);
  CHECK(session.header("set-cookie") == nullptr);
}

TEST_CASE("with a token every route wants it, but for the server's health and the page's files") {
  const Api api;
  Access access(good_token);
  std::set<std::string> open;
  for (const auto& route : api.router().routes()) {
    CAPTURE(route.pattern);
    const auto answer = access.refuse(request_for(route.method, route.pattern));
    if (!answer) {
      open.insert(route.pattern);
      CHECK(route.method == "GET");
      continue;
    }
    CHECK(answer->status == 401);
    check_documented(request_for(route.method, route.pattern), *answer);
    CHECK(*answer->header("www-authenticate") == "Bearer");
    CHECK(*answer->header("content-type") == "application/problem+json");
    CHECK_FALSE(access.refuse(request_for(route.method, route.pattern, {bearer(good_token)})));
  }
  std::set<std::string> expected{"/healthz", "/readyz"};
  for (const auto& asset : web::assets()) {
    expected.insert(std::string(asset.path));
  }
  CHECK(open == expected);
  CHECK(access.refuse(request_for("GET", "/nowhere")).has_value());
  CHECK(access.refuse(request_for("OPTIONS", "/")).has_value());
  CHECK_FALSE(access.refuse(request_for("HEAD", "/")).has_value());
}

TEST_CASE("only the token itself opens, under any spelling of the scheme") {
  Access access(good_token);
  const auto opens = [&](const std::string& header) {
    return !access.refuse(request_for("GET", "/metrics", {{"authorization", header}}));
  };
  CHECK(opens("Bearer " + good_token));
  CHECK(opens("bearer  " + good_token + " "));
  for (const std::string wrong :
       {"", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0",
        "Bearer 0123456789abcdeF", "Basic 0123456789abcdef", "0123456789abcdef",
        "Bearer 0123456789abcdef0123456789abcdef", "Bearer 0123456789abcdef, x"}) {
    CHECK_MESSAGE(!opens(wrong), wrong);
  }
  CHECK(access.refuse(request_for("GET", "/metrics?token=" + good_token)).has_value());
}

TEST_CASE("whether the server is ready is told to everybody, why it is not to who has the token") {
  Api api;
  Access access(good_token);
  const auto& open = api.application();
  server::Application locked{open.store,   open.service, open.replay, open.fmus,
                             open.metrics, open.log,     access,      open.database};
  const auto router = server::make_router(locked);
  const auto ask = [&](const Request& request) {
    CHECK_FALSE(access.refuse(request));
    return documented(request, router.handle(request, router.find(request)));
  };
  const auto stranger = request_for("GET", "/readyz");
  const auto friendly = request_for("GET", "/readyz", {bearer(good_token)});
  CHECK(ask(stranger).status == 200);
  CHECK(ask(request_for("HEAD", "/readyz")).status == 200);
  CHECK(ask(request_for("GET", "/readyz", {bearer("another")})).status == 200);
  CHECK(access.refuse(request_for("POST", "/readyz")).has_value());
  std::filesystem::rename(api.file(), api.file().string() + ".gone");
  const auto told = ask(friendly);
  CHECK(told.status == 503);
  CHECK(told.body.find(api.file().string()) != std::string::npos);
  // Strangers do not make the server look each time: theirs may be a second old.
  REQUIRE(eventually([&] { return ask(stranger).status == 503; }));
  const auto short_answer = ask(stranger);
  CHECK(short_answer.body.find(api.file().string()) == std::string::npos);
  CHECK(short_answer.body.find("database") == std::string::npos);
}

TEST_CASE("a session opens by its cookie, which no script can read, until it is ended") {
  Access access(good_token);
  const auto without = request_for("POST", "/api/v1/session");
  CHECK(documented(without, access.begin_session(without)).status == 401);
  const auto begin = request_for("POST", "/api/v1/session", {bearer(good_token)});
  const auto begun = documented(begin, access.begin_session(begin));
  CHECK(begun.status == 204);
  const std::string attributes = *begun.header("set-cookie");
  for (const char* part : {"; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=43200"}) {
    CHECK_MESSAGE(attributes.find(part) != std::string::npos, attributes);
  }
  CHECK(attributes.find(good_token) == std::string::npos);
  const std::string cookie = cookie_of(begun);
  CHECK(cookie.starts_with("macrostep_session_8080="));
  const auto opens = [&](const std::string& cookies) {
    return !access.refuse(request_for("GET", "/api/v1/events", {{"cookie", cookies}}));
  };
  CHECK(opens(cookie));
  CHECK(opens("a=b; " + cookie + "; c=d"));
  CHECK_FALSE(opens(cookie.substr(0, cookie.size() - 1)));
  CHECK_FALSE(opens("macrostep_session_8080="));
  CHECK_FALSE(opens("macrostep_session_8080=" + good_token));
  CHECK_FALSE(opens("macrostep_session_9090" + cookie.substr(cookie.find('='))));
  // A cookie buys no other one: who has it for a moment does not have it for ever.
  CHECK(access.begin_session(request_for("POST", "/api/v1/session", {{"cookie", cookie}})).status ==
        401);
  const auto end = request_for("DELETE", "/api/v1/session", {{"cookie", cookie}});
  const auto ended = documented(end, access.end_session(end));
  CHECK(ended.status == 204);
  CHECK(ended.header("set-cookie")->find("Max-Age=0") != std::string::npos);
  CHECK_FALSE(opens(cookie));
}

TEST_CASE("sessions expire, and the oldest one ends when there are too many") {
  auto now = Access::Clock::now();
  Access access(good_token, [&now] { return now; });
  const auto begin = [&] {
    return cookie_of(
        access.begin_session(request_for("POST", "/api/v1/session", {bearer(good_token)})));
  };
  const auto opens = [&](const std::string& cookie) {
    return !access.refuse(request_for("GET", "/metrics", {{"cookie", cookie}}));
  };
  const auto first = begin();
  std::set<std::string> all{first};
  for (std::size_t i = 1; i < server::max_sessions; ++i) {
    all.insert(begin());
  }
  CHECK(all.size() == server::max_sessions);
  CHECK(opens(first));
  const auto one_more = begin();
  CHECK_FALSE(opens(first));
  CHECK(opens(one_more));
  now += server::session_lifetime - std::chrono::seconds(1);
  CHECK(opens(one_more));
  now += std::chrono::seconds(1);
  CHECK_FALSE(opens(one_more));
}

}  // namespace
}  // namespace macrostep::tests
