// Submitting, listing, cancelling, resuming and deleting searches, as functions.
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

const std::string searches = "/api/v1/searches";

std::set<std::string> pointers(const Json& problem) {
  std::set<std::string> result;
  for (const auto& error : problem.at("errors")) {
    result.insert(error.at("pointer"));
  }
  return result;
}

TEST_CASE("every mistake of a job is listed at its pointer, and nothing is stored") {
  const Api api;
  struct Row {
    const char* job;
    std::set<std::string> pointers;
  };
  const Row rows[] = {
      {R"({})", {"/problem"}},
      {R"([])", {""}},
      {R"({"problem": "no_such_crane"})", {"/problem"}},
      {R"({"problem": "single_actuator_crane", "colour": 1})", {"/colour"}},
      {R"({"problem": "single_actuator_crane", "micro_steps": {"hydraulics": -1},
           "search": {"macro_step": {"initial_s": 0}, "extrapolation": ["9"]}, "tests": 5})",
       {"/micro_steps/hydraulics", "/search/macro_step/initial_s", "/search/extrapolation/0",
        "/tests"}},
      {R"({"problem": "single_actuator_crane",
           "search": {"macro_step": {"initial_s": 5, "maximum_s": 6}}})",
       {"/search/macro_step/initial_s"}},
      {R"({"problem": "single_actuator_crane",
           "search": {"macro_step": {"increment_s": 1e-15}}})",
       {"/search/macro_step"}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.job);
    const auto response = api.call("POST", searches, row.job);
    CHECK(response.status == 422);
    CHECK(*response.header("content-type") == "application/problem+json");
    const auto problem = Json::parse(response.body);
    CHECK(problem.at("type") == "/problems/invalid-job");
    for (const auto& pointer : row.pointers) {
      CHECK_MESSAGE(pointers(problem).contains(pointer), pointer << " in " << response.body);
    }
  }
  CHECK(api.store.list_searches(1).rows.empty());
  CHECK(api.store.last_event_sequence() == 0);
}

TEST_CASE("a submission repeated with its Idempotency-Key is the same search, also later") {
  const Api api;
  const auto submit = [&](const std::string& key, const Json& job) {
    return api.call("POST", searches, job.dump(), {{"idempotency-key", key}});
  };
  const auto first = submit("a-key", small_job());
  REQUIRE(first.status == 202);
  const auto again = submit("a-key", small_job());
  CHECK(again.status == 202);
  CHECK(*again.header("location") == *first.header("location"));
  const std::string id = Json::parse(first.body).at("id");
  CHECK(Json::parse(again.body).at("id") == id);
  api.wait_for(id, "succeeded");
  CHECK(Json::parse(submit("a-key", small_job()).body).at("status") == "succeeded");
  // It is kept with the search in the file, where another process finds it.
  CHECK(db::Store(api.file(), {.access = db::Access::read}).search_submitted_as("a-key") == id);
  CHECK(api.store.list_searches(10).rows.size() == 1);

  auto other = small_job();
  other["name"] = "other";
  const auto reused = submit("a-key", other);
  CHECK(reused.status == 422);
  CHECK(Json::parse(reused.body).at("type") == "/problems/idempotency-key-reused");
  CHECK(submit("another-key", other).status == 202);
  for (const std::string& key : {std::string(), std::string(256, 'k'), std::string("a b"),
                                 std::string("a\x7f"), std::string("\xc3\xa4")}) {
    CHECK(submit(key, other).status == 400);
  }
  CHECK(submit(std::string(255, 'k'), other).status == 202);
  api.call("DELETE", searches + "/" + id);
  CHECK(Json::parse(submit("a-key", small_job()).body).at("id") != id);
}

TEST_CASE("a submission repeated with its key is the same one though it would be refused by now") {
  const Api api;
  // Taken in by a server that knew another catalogue.
  auto job = small_job();
  job["problem"] = "problem of a former version";
  const std::string id = api.submit(small_job());
  {
    db::Connection sql(api.file(), db::OpenMode::write_create);
    sql.prepare("UPDATE documents SET job = ?1 WHERE search_id = ?2").bind(job.dump(), id).run();
    sql.prepare("INSERT INTO idempotency_keys VALUES ('key', ?1)").bind(id).run();
  }
  const auto submit = [&](const std::string& path, const Json& what,
                          std::vector<server::http::NamedValue> headers) {
    return api.call("POST", path, what.dump(), std::move(headers));
  };
  const auto again = submit(searches, job, {{"idempotency-key", "key"}});
  CHECK(again.status == 202);
  CHECK(Json::parse(again.body).at("id") == id);
  CHECK(submit(searches, job, {{"idempotency-key", "other"}}).status == 422);
  auto other = job;
  other["name"] = "other";
  CHECK(submit(searches, other, {{"idempotency-key", "key"}}).status == 422);
  for (const auto& path : {searches, std::string("/api/v1/analyses")}) {
    const auto twice = submit(path, job, {{"idempotency-key", "key"}, {"idempotency-key", "key"}});
    CHECK(twice.status == 400);
    CHECK(twice.body.find("is given twice") != std::string::npos);
  }
}

TEST_CASE("a body that is not JSON is a bad request that says where") {
  const Api api;
  for (const std::string body : {"", "{", "{\"a\":1,\"a\":2}", "{\"name\":\"\xff\"}", "NaN"}) {
    const auto problem = api.json("POST", searches, 400, body);
    CHECK(problem.at("type") == "/problems/invalid-json");
    CHECK_FALSE(problem.at("errors").at(0).at("detail").get<std::string>().empty());
  }
  CHECK(api.store.list_searches(1).rows.empty());
}

TEST_CASE("a dry run says what a job stands for and stores nothing") {
  const Api api;
  const auto plan = api.json("POST", searches + "?dry_run=true", 200, small_job().dump());
  CHECK(plan.at("configurations") == 2);
  CHECK(plan.at("curves") == 2);
  CHECK(plan.at("job").at("search").at("linear_region").at("rule") == "baseline_power_law");
  CHECK(api.json("POST", searches + "?dry_run=true", 422, "{}").contains("errors"));
  api.json("POST", searches + "?dry_run=perhaps", 400, small_job().dump());
  CHECK(api.store.list_searches(1).rows.empty());
}

TEST_CASE("the default job of every problem in the catalogue is accepted") {
  const Api api;
  const auto catalogue = api.get("/api/v1/problems");
  CHECK(catalogue.at("problems").size() >= 2);
  for (const auto& problem : catalogue.at("problems")) {
    const std::string name = problem.at("name");
    CHECK(api.get("/api/v1/problems/" + name) == problem);
    api.json("POST", searches + "?dry_run=true", 200, problem.at("job").dump());
  }
  api.json("GET", "/api/v1/problems/none", 404);
}

TEST_CASE("an accepted job is queued at the address of its Location header") {
  const Api api;
  const auto response = api.call("POST", searches, small_job().dump());
  REQUIRE(response.status == 202);
  const auto summary = Json::parse(response.body);
  CHECK(*response.header("location") == searches + "/" + std::string(summary.at("id")));
  CHECK(summary.at("name") == "small");
  CHECK(summary.at("problem") == "single_actuator_crane");
  CHECK(summary.at("progress").at("curves_total") == 2);
  CHECK(summary.at("recommendation").is_null());
  api.wait_for(summary.at("id"), "succeeded");
  CHECK(api.get(searches).at("searches").at(0).at("recommendation").is_object());
}

TEST_CASE("the list is paged by an opaque cursor, newest first") {
  const Api api;
  std::set<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    ids.insert(api.submit(small_job()));
  }
  std::set<std::string> seen;
  std::string target = searches + "?limit=2";
  for (int page = 0; page < 2; ++page) {
    const auto response = api.call("GET", target);
    const auto body = Json::parse(response.body);
    for (const auto& summary : body.at("searches")) {
      seen.insert(summary.at("id"));
    }
    if (page == 1) {
      CHECK(body.at("next").is_null());
      CHECK(response.header("link") == nullptr);
      break;
    }
    const std::string link = *response.header("link");
    CHECK(link.ends_with(">; rel=\"next\""));
    target = link.substr(1, link.find('>') - 1);
  }
  CHECK(seen == ids);
  for (const auto* bad : {"?limit=0", "?limit=x", "?limit=1001", "?after=nonsense", "?page=2"}) {
    api.json("GET", searches + bad, 400);
  }
}

TEST_CASE("what does not exist is not found") {
  const Api api;
  for (const auto* path : {"", "/curves", "/trials", "/trials/0", "/export"}) {
    api.json("GET", searches + "/none" + path, 404);
  }
  api.json("POST", searches + "/none/cancel", 404);
  api.json("POST", searches + "/none/resume", 404);
  api.json("DELETE", searches + "/none", 404);
  api.json("GET", "/api/v1/events?search=none", 404);
  api.json("PATCH", searches + "/none", 404, "{}");
  const auto response = api.call("PUT", searches);
  CHECK(response.status == 405);
  CHECK(*response.header("allow") == "GET, HEAD, OPTIONS, POST");
}

TEST_CASE("a running search is cancelled, shows what is missing, and cannot be deleted before") {
  const Api api;
  const auto id = api.submit(endless_job());
  api.wait_for(id, "running");
  api.json("DELETE", searches + "/" + id, 409);
  for (int i = 0; i < 2; ++i) {
    api.json("POST", searches + "/" + id + "/cancel", 200);
  }
  api.wait_for(id, "cancelled");
  CHECK(api.json("POST", searches + "/" + id + "/cancel", 200).at("status") == "cancelled");
  const auto search = api.get(searches + "/" + id);
  CHECK(search.at("complete") == false);
  CHECK(search.at("missing_curves").size() == 2);
  CHECK(search.at("finished_at").is_string());
  CHECK_FALSE(search.at("reason").get<std::string>().empty());
  CHECK(api.call("DELETE", searches + "/" + id).status == 204);
  api.json("GET", searches + "/" + id, 404);
}

TEST_CASE("a resume is granted or refused, but never lost while the search still stops") {
  const Api api;
  const auto id = api.submit(endless_job());
  bool refused = false;
  for (int round = 0; round < 20 && !refused; ++round) {
    api.wait_for(id, "running");
    api.json("POST", searches + "/" + id + "/cancel", 200);
    const auto response = api.call("POST", searches + "/" + id + "/resume");
    refused = response.status == 409;
    if (refused) {
      CHECK(Json::parse(response.body).at("detail").get<std::string>().find("stopping") !=
            std::string::npos);
    } else {
      CHECK(response.status == 200);  // it had ended already: it runs again
    }
  }
  CHECK(refused);
  api.wait_for(id, "cancelled");
  api.json("POST", searches + "/" + id + "/resume", 200);
  api.wait_for(id, "running");
}

TEST_CASE("a waiting search is cancelled or deleted without ever running") {
  const Api api;
  const auto running = api.submit(endless_job());
  api.wait_for(running, "running");
  const auto waiting = api.submit(small_job());
  const auto deleted = api.submit(small_job());
  const auto cancelled = api.json("POST", searches + "/" + waiting + "/cancel", 200);
  CHECK(cancelled.at("status") == "cancelled");
  CHECK(cancelled.at("started_at").is_null());
  CHECK(api.call("DELETE", searches + "/" + deleted).status == 204);
  api.json("POST", searches + "/" + running + "/cancel", 200);
  api.wait_for(running, "cancelled");
  CHECK(api.status(waiting) == "cancelled");
}

TEST_CASE("a full queue refuses with the time to come back") {
  const Api api({.threads = 1, .max_queued = 1});
  const auto running = api.submit(endless_job());
  api.wait_for(running, "running");
  api.submit(small_job());
  const auto response = api.call("POST", searches, small_job().dump());
  CHECK(response.status == 429);
  CHECK(response.header("retry-after") != nullptr);
  CHECK(api.get(searches).at("searches").size() == 2);
}

TEST_CASE("a server that drains is not ready and takes nothing more, but still answers") {
  Api api;
  CHECK(api.get("/readyz").at("status") == "ready");
  api.service.drain();
  api.json("GET", "/readyz", 503);
  api.json("POST", searches, 503, small_job().dump());
  CHECK(api.get("/healthz").at("status") == "ok");
  CHECK(api.get(searches).at("searches").empty());
}

TEST_CASE("a server whose database is gone lives, but is not ready") {
  const Api api;
  CHECK(api.get("/readyz").at("status") == "ready");
  std::filesystem::rename(api.file(), api.file().string() + ".gone");
  const auto missing = api.json("GET", "/readyz", 503);
  CHECK(missing.at("detail").get<std::string>().find(api.file().string()) != std::string::npos);
  { const std::ofstream other(api.file()); }
  api.json("GET", "/readyz", 503);
  CHECK(api.get("/healthz").at("status") == "ok");
  const auto refused = api.call("POST", searches, small_job().dump());
  CHECK(refused.status == 503);
  CHECK(refused.header("content-type")->starts_with("application/problem+json"));
  std::filesystem::rename(api.file().string() + ".gone", api.file());
  CHECK(api.get("/readyz").at("status") == "ready");
  CHECK(api.get(searches).at("searches").empty());
  api.submit(small_job());
}

TEST_CASE("a search whose file goes away while it runs fails") {
  const Api api;
  const auto id = api.submit(busy_job());
  api.wait_for(id, "running");
  std::filesystem::rename(api.file(), api.file().string() + ".gone");
  api.wait_for(id, "failed");
  CHECK(api.json("GET", "/readyz", 503).at("detail").get<std::string>().find(api.file().string()) !=
        std::string::npos);
}

TEST_CASE("a search that was cancelled half-way and resumed ends as an undisturbed one") {
  const Api api;
  Json job = small_job();
  job["search"]["extrapolation"] = {"0", "1", "2", "3"};
  SUBCASE("by the fixed increment") {}
  SUBCASE("with an adaptive scan, whose points are stored in the order they ran") {
    job["search"]["linear_region"] = {{"scan", "adaptive"}, {"rule", "baseline_power_law"}};
    job["search"]["macro_step"] = {{"initial_s", 1e-4}, {"increment_s", 1e-4}, {"maximum_s", 0.02}};
  }
  const auto whole = api.submit(job);
  api.wait_for(whole, "succeeded");
  api.json("POST", searches + "/" + whole + "/resume", 409);

  job["micro_steps"] = {{"hydraulics", 1e-4}};  // the default: the same search
  const auto halves = api.submit(job);
  REQUIRE(eventually([&] {
    const auto now = api.get(searches + "/" + halves);
    return now.at("progress").at("trials_done") > 0 || now.at("status") == "succeeded";
  }));
  api.json("POST", searches + "/" + halves + "/cancel", 200);
  REQUIRE(eventually([&] { return api.status(halves) != "running"; }));
  if (api.status(halves) == "cancelled") {
    api.json("POST", searches + "/" + halves + "/resume", 200);
    api.wait_for(halves, "succeeded");
  }
  CHECK(api.essence_of(halves) == api.essence_of(whole));
}

}  // namespace
}  // namespace macrostep::tests
