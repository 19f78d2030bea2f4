#include "server/api/health.hpp"

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "db/schema/error.hpp"
#include "server/api/frame/application.hpp"
#include "server/respond/renewed.hpp"
#include "server/respond/respond.hpp"

namespace macrostep::server {

namespace {

/// To look costs a write to the database: strangers make the server do so once in this time.
constexpr std::chrono::seconds strangers_lifetime{1};

/// Empty: it is. May name the database's file.
std::string why_not_ready(const Application& application) {
  if (!application.service.accepting()) {
    return "The server is starting or stopping";
  }
  if (const auto trouble = application.service.trouble()) {
    return "The database takes nothing: " + *trouble;
  }
  try {
    application.store.probe();
  } catch (const db::Error& error) {
    return std::string("The database cannot be used: ") + error.what();
  }
  return "";
}

}  // namespace

void add_health(http::Router& router, Application& application) {
  router.add("GET", "/healthz", {}, [](const http::Request&) {
    return json_answer(200, {{"status", "ok"}});
  });
  const auto for_strangers = std::make_shared<Renewed<std::string>>(
      strangers_lifetime, [&application] { return why_not_ready(application); });
  router.add("GET", "/readyz", {}, [&application, for_strangers](const http::Request& r) {
    const bool trusted = application.access.is_trusted(r);
    const auto why = trusted ? why_not_ready(application) : for_strangers->get();
    if (why.empty()) {
      return json_answer(200, {{"status", "ready"}});
    }
    return http::problem_response(
        503, trusted ? why : "It takes no jobs now; who shows the token is told why");
  });
}

}  // namespace macrostep::server
