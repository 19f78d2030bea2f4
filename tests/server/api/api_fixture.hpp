// The API without sockets: a store in a temporary directory, the service, and requests as calls,
// whose answers are held against openapi.json.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "server/api/frame/application.hpp"
#include "server/api/routes.hpp"
#include "tests/db/fixtures.hpp"
#include "tests/openapi_check.hpp"

namespace macrostep::tests {

using Json = nlohmann::json;
using db::testing::TemporaryDirectory;

/// Two curves of a few dozen trials: well below a second.
inline Json small_job() {
  return {{"problem", "single_actuator_crane"},
          {"name", "small"},
          {"search",
           {{"stability_check", "none"},  // which would take seconds
            {"extrapolation", {"1", "2"}},
            {"integrators", {{"mechanics", {"i1al"}}, {"hydraulics", {"forward_euler"}}}},
            {"macro_step", {{"initial_s", 5e-4}, {"increment_s", 5e-4}, {"maximum_s", 0.02}}}}},
          {"tests", {{{"name", "step"}, {"kind", "step"}, {"duration_s", 1}}}}};
}

/// Trials of minutes: it runs until it is stopped.
inline Json endless_job() {
  Json job = small_job();
  job["name"] = "endless";
  job["search"]["macro_step"] = {{"initial_s", 1e-5}, {"increment_s", 1e-5}, {"maximum_s", 0.02}};
  job["tests"][0]["duration_s"] = 1000;
  return job;
}

/// Thousands of trials of milliseconds: results come in all the time.
inline Json busy_job() {
  Json job = small_job();
  job["name"] = "busy";
  job["search"]["macro_step"] = {{"initial_s", 5e-5}, {"increment_s", 1e-7}, {"maximum_s", 0.002}};
  return job;
}

/// What must not depend on how a search came to its end: everything but names and times. Trials are
/// numbered as they come.
inline Json essence(const Json& search, const Json& curves) {
  Json result = {{"curves", curves.at("curves")}};
  for (auto& curve : result["curves"]) {
    for (auto& point : curve.at("points")) {
      point.erase("trial_id");
    }
  }
  for (const char* member :
       {"status", "complete", "recommendation", "paper_rule", "table", "reason", "progress"}) {
    result[member] = search.at(member);
  }
  result["trials"] = search.at("cost").at("trials");
  result["rhs_evaluations"] = search.at("cost").at("rhs_evaluations");
  return result;
}

/// Asks until it is so, at most a minute.
inline bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 6000; ++i) {
    if (condition()) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

class Api {
 public:
  explicit Api(server::ServiceOptions options = {.threads = 2}, db::StoreOptions storage = {})
      : store(directory_.file(), storage),
        service(store, log_, counted(options, metrics_)),
        replay_(store, log_, options.foreign, options.fmus) {
    service.start();
  }

  server::http::Response call(const std::string& method, const std::string& target,
                              const std::string& body = "",
                              std::vector<server::http::NamedValue> headers = {}) const {
    const server::http::Request request{.method = method,
                                        .target = server::http::parse_target(target).value(),
                                        .headers = std::move(headers),
                                        .body = body,
                                        .id = "test",
                                        .captures = {}};
    auto response = router_.handle(request, router_.find(request));
    check_documented(request, response);
    return response;
  }

  /// The body of an answer that must have this status.
  Json json(const std::string& method, const std::string& target, int status,
            const std::string& body = "") const {
    const auto response = call(method, target, body);
    CHECK_MESSAGE(response.status == status, method << " " << target << ": " << response.body);
    return response.body.empty() ? Json() : Json::parse(response.body);
  }
  Json get(const std::string& target) const { return json("GET", target, 200); }

  std::string submit(const Json& job) const {
    const auto answer = json("POST", "/api/v1/searches", 202, job.dump());
    return answer.at("id");
  }

  std::string status(const std::string& id) const {
    return get("/api/v1/searches/" + id).at("status");
  }
  void wait_for(const std::string& id, const std::string& wanted) const {
    std::string now;  // asked for before, not while something is reported
    REQUIRE_MESSAGE(eventually([&] { return (now = status(id)) == wanted; }), "still " << now);
  }

  Json essence_of(const std::string& id) const {
    return essence(get("/api/v1/searches/" + id), get("/api/v1/searches/" + id + "/curves"));
  }

  std::filesystem::path file() const { return directory_.file(); }
  const server::http::Router& router() const { return router_; }
  server::Application& application() { return application_; }

 private:
  TemporaryDirectory directory_;
  server::Log log_{server::Log::Form::silent};
  server::Metrics metrics_;

 public:
  db::Store store;
  server::FmuStore fmus{store, server::fmu_directory_of(directory_.file())};
  server::SearchService service;

 private:
  static server::ServiceOptions counted(server::ServiceOptions options, server::Metrics& metrics) {
    options.metrics = &metrics;
    return options;
  }

  server::TrialReplay replay_;
  server::Access access_;
  server::Application application_{store,    service, replay_, fmus,
                                   metrics_, log_,    access_, directory_.file()};
  server::http::Router router_ = server::make_router(application_);
};

}  // namespace macrostep::tests
