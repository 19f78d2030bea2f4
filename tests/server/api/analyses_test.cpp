// /api/v1/analyses: maps and tunings from their submission to their export, in one queue with the
// searches.
#include <algorithm>

#include "server/queue/analysis_actions.hpp"
#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

const std::string analyses = "/api/v1/analyses";

Json axis(const char* parameter, double maximum, int count) {
  return {{"parameter", parameter}, {"minimum", 1}, {"maximum", maximum}, {"count", count}};
}

Json stability_map() {
  return {{"kind", "map"},
          {"name", "fig. 4"},
          {"problem", "stiff_oscillator"},
          {"search", {{"couplings", {"force_displacement"}}, {"extrapolation", {"0", "1"}}}},
          {"map",
           {{"x", axis("coupling.c_k", 1e10, 6)},
            {"y", axis("coupling.d_k", 1e6, 4)},
            {"macro_steps_s", {1e-5, 1e-3}}}}};
}

/// Runs of a minute each: it goes on until it is stopped.
Json endless_map() {
  Json job = stability_map();
  job["map"]["quantity"] = "accuracy";
  job["map"]["macro_steps_s"] = {1e-5};
  job["tests"] = {{{"name", "long"}, {"kind", "step"}, {"duration_s", 900}}};
  return job;
}

std::string submit_map(const Api& api, const Json& job) {
  return api.json("POST", analyses, 202, job.dump()).at("id");
}

std::string status_of(const Api& api, const std::string& id) {
  return api.get(analyses + "/" + id).at("status");
}

void wait_for(const Api& api, const std::string& id, const std::string& wanted) {
  std::string status;  // asked for before, not while something is reported
  REQUIRE_MESSAGE(eventually([&] { return (status = status_of(api, id)) == wanted; }),
                  "still " << status);
}

TEST_CASE("a map is submitted, computed, read and exported") {
  const Api api;
  const auto answer = api.call("POST", analyses, stability_map().dump());
  REQUIRE(answer.status == 202);
  const std::string id = Json::parse(answer.body).at("id");
  CHECK(*answer.header("location") == analyses + "/" + id);
  wait_for(api, id, "succeeded");
  const Json map = api.get(analyses + "/" + id);
  CHECK(map.at("kind") == "map");
  CHECK(map.at("name") == "fig. 4");
  CHECK(map.at("job") == stability_map());
  CHECK(map.at("points_done") == 24);
  const Json& result = map.at("result");
  CHECK(result.at("configurations").size() == 2);
  CHECK(result.at("configurations")[0].at("largest_macro_step_s")[0][0] == 1e-3);
  CHECK_FALSE(result.at("configurations")[0].at("layers")[0].contains("values"));

  const Json all = api.get(analyses + "/" + id + "/export");
  CHECK(all.at("configurations")[0].at("largest_macro_step_s") ==
        result.at("configurations")[0].at("largest_macro_step_s"));
  CHECK(all.at("configurations")[1].at("layers")[1].at("values").size() == 4);
  const auto csv = api.call("GET", analyses + "/" + id + "/export?format=csv");
  CHECK(csv.header("content-type")->starts_with("text/csv"));
  CHECK(std::ranges::count(csv.body, '\n') == 1 + 2 * 2 * 24);
  const auto svg = api.call("GET", analyses + "/" + id + "/export?format=svg");
  CHECK(*svg.header("content-type") == "image/svg+xml");
  CHECK(svg.body.starts_with("<svg "));
  api.json("GET", analyses + "/" + id + "/export?format=png", 400);

  const Json list = api.get(analyses);
  REQUIRE(list.at("analyses").size() == 1);
  CHECK(list.at("analyses")[0].at("id") == id);
  CHECK(api.call("DELETE", analyses + "/" + id).status == 204);
  api.json("GET", analyses + "/" + id, 404);
}

TEST_CASE("an analysis submitted again with its Idempotency-Key is the same one") {
  const Api api;
  const auto submit = [&](const std::string& key, const Json& job) {
    return api.call("POST", analyses, job.dump(), {{"idempotency-key", key}});
  };
  const auto first = submit("a-key", stability_map());
  REQUIRE(first.status == 202);
  const auto again = submit("a-key", stability_map());
  CHECK(again.status == 202);
  CHECK(*again.header("location") == *first.header("location"));
  CHECK(api.store.list_analyses(10).rows.size() == 1);
  auto other = stability_map();
  other["name"] = "other";
  CHECK(Json::parse(submit("a-key", other).body).at("type") == "/problems/idempotency-key-reused");
  CHECK(submit("a b", other).status == 400);
  // Though it would be refused by now.
  auto unknown = stability_map();
  unknown["problem"] = "problem of a former version";
  CHECK(submit("another-key", unknown).status == 422);
  db::Connection(api.file(), db::OpenMode::write_create)
      .prepare("UPDATE analysis_documents SET job = ?1")
      .bind(unknown.dump())
      .run();
  CHECK(*submit("a-key", unknown).header("location") == *first.header("location"));
  // A search may have the same key.
  CHECK(api.call("POST", "/api/v1/searches", small_job().dump(), {{"idempotency-key", "a-key"}})
            .status == 202);
}

TEST_CASE("the list of analyses is filtered by status, kind, problem and a part of the name") {
  const Api api;
  const auto submit = [&](const char* name) {
    auto job = stability_map();
    job["name"] = name;
    const std::string id = api.json("POST", analyses, 202, job.dump()).at("id");
    wait_for(api, id, "succeeded");
  };
  submit("Rig 1");
  submit("rig 2");
  submit("other");
  const auto listed = [&](const std::string& query) {
    return api.get(analyses + "?" + query).at("analyses").size();
  };
  CHECK(listed("name=RIG") == 2);
  CHECK(listed("name=rig+2&kind=map&status=succeeded,failed") == 1);
  CHECK(listed("kind=tune") == 0);
  CHECK(listed("status=queued") == 0);
  CHECK(listed("problem=" + stability_map().at("problem").get<std::string>()) == 3);
  CHECK(listed("problem=single_actuator_crane") == 0);
  const auto page = api.call("GET", analyses + "?name=rig&limit=1");
  const std::string link = *page.header("link");
  const auto rest = api.call("GET", link.substr(1, link.find('>') - 1));
  CHECK(Json::parse(rest.body).at("analyses")[0].at("name") == "Rig 1");
  CHECK(rest.header("link") == nullptr);
  const std::string next = Json::parse(page.body).at("next");
  api.json("GET", analyses + "?after=" + next, 400);
  for (const std::string wrong : {"kind=search", "kind=", "status=done", "name=", "problem="}) {
    CAPTURE(wrong);
    const std::string detail = api.json("GET", analyses + "?" + wrong, 400).at("detail");
    CHECK(detail.starts_with(wrong.substr(0, wrong.find('=')) + ": must "));
  }
  CHECK(api.store.full_scan_steps() == 0);
}

Json small_tuning() {
  return {{"kind", "tune"},
          {"problem", "nonlinear_oscillator"},
          {"search", {{"couplings", {"force_displacement"}}, {"extrapolation", {"0"}}}},
          {"tests", {{{"name", "none"}, {"kind", "none"}, {"duration_s", 0.5}}}},
          {"tune",
           {{"macro_step_s", 0.002}, {"also", {{{"parameters", {{"m1.x0", 1}, {"m1.v0", 0}}}}}}}}};
}

TEST_CASE("a tuning is submitted, found, read and exported") {
  const Api api;
  const Json plan = api.json("POST", analyses + "?dry_run=true", 200, small_tuning().dump());
  CHECK(plan.at("configuration").at("extrapolation") == "0");
  CHECK(plan.at("job").at("tune").at("also")[0].at("parameters").at("m1.x0") == 1);
  const std::string id = api.json("POST", analyses, 202, small_tuning().dump()).at("id");
  wait_for(api, id, "succeeded");
  const Json found = api.get(analyses + "/" + id);
  CHECK(found.at("kind") == "tune");
  CHECK(found.at("job") == small_tuning());
  const Json& result = found.at("result");
  CHECK(result.at("by_formula").at("mu") == 0.5);
  CHECK(result.at("uncorrected").at("objective").size() == 2);
  CHECK(result.at("uncorrected").at("objective").contains("2.none"));

  const auto exported = [&](const std::string& format) {
    return api.call("GET", analyses + "/" + id + "/export?format=" + format);
  };
  CHECK(Json::parse(exported("json").body) == result);
  const auto csv = exported("csv").body;
  CHECK(csv.starts_with("mu,nu,limit,ratio,none,2.none\n"));
  CHECK(static_cast<std::size_t>(std::ranges::count(csv, '\n')) ==
        result.at("landscape").size() + 1);
  CHECK(exported("svg").body.find("H = 2 ms") != std::string::npos);
  // What is kept is complete: the same question again gives the same answer.
  const auto again = api.json("POST", analyses, 202, plan.at("job").dump()).at("id");
  wait_for(api, again, "succeeded");
  CHECK(api.get(analyses + "/" + again.get<std::string>()).at("result") == result);
}

TEST_CASE("all mistakes of a tuning are told with their pointers, and nothing is stored") {
  const Api api;
  const auto pointers = [&](const Json& job) {
    std::string all;
    const Json problem = api.json("POST", analyses, 422, job.dump());
    for (const auto& error : problem.at("errors")) {
      all += error.at("pointer").get<std::string>() + " ";
    }
    return all;
  };
  Json job = small_tuning();
  job["tune"] = {{"objective", "speed"}, {"step", 1}};
  job["search"]["schemes"] = {"jacoby"};
  CHECK(pointers(job) == "/search/schemes/0 /tune/macro_step_s /tune/objective /tune/step ");
  job = small_tuning();
  job["tune"]["macro_step_s"] = 10;
  CHECK(pointers(job) == "/tune/macro_step_s ");
  job = small_tuning();
  job["tune"]["also"][0] = {{"parameters", {{"m1.x", 1}}}};
  CHECK(pointers(job) == "/tune/also/0/parameters/m1.x ");
  job["tune"]["also"][0] = {{"problem", "coupled_pendula"}};
  CHECK(pointers(job).starts_with("/tune/also/0"));
  job = small_tuning();
  job["search"]["extrapolation"] = {"0", "1"};
  CHECK(pointers(job) == "/search ");
  job["search"]["extrapolation"] = {"0"};
  job["search"]["corrections"] = {"nepce"};
  CHECK(pointers(job) == "/search/corrections/0 ");
  job.erase("tune");
  CHECK(pointers(job).find("/tune ") != std::string::npos);
  CHECK(api.get(analyses).at("analyses").empty());
}

TEST_CASE("a running tuning is cancelled within its runs") {
  const Api api;
  Json job = small_tuning();
  job["tests"][0]["duration_s"] = 900;
  job["tune"]["objective"] = "interface_energy";
  job["tune"]["macro_step_s"] = 1e-5;
  const std::string id = api.json("POST", analyses, 202, job.dump()).at("id");
  wait_for(api, id, "running");
  api.json("POST", analyses + "/" + id + "/cancel", 200);
  wait_for(api, id, "cancelled");
  CHECK(api.get(analyses + "/" + id).at("result").is_null());
}

TEST_CASE("all mistakes of a map are told, and nothing is stored") {
  const Api api;
  Json job = stability_map();
  job["map"]["x"]["parameter"] = "coupling.c";
  job["map"]["y"].erase("maximum");
  job["search"]["schemes"] = {"jacoby"};
  const Json problem = api.json("POST", analyses, 422, job.dump());
  std::string pointers;
  for (const auto& error : problem.at("errors")) {
    pointers += error.at("pointer").get<std::string>() + " ";
  }
  CHECK(pointers == "/search/schemes/0 /map/x/parameter /map/y/maximum ");
  api.json("POST", analyses, 400, "{");
  api.json("POST", analyses, 422, small_job().dump());
  const auto dry = api.json("POST", analyses + "?dry_run=true", 200, stability_map().dump());
  CHECK(dry.at("points") == 24);
  CHECK(dry.at("estimate").at("values") == 24 * dry.at("configurations").get<int>() * 2);
  CHECK(dry.at("estimate").at("macro_steps_max").is_null());
  const auto runs = api.json("POST", analyses + "?dry_run=true", 200, endless_map().dump());
  CHECK(runs.at("estimate").at("macro_steps_max") ==
        24 * runs.at("configurations").get<std::int64_t>() * 90'000'000);
  CHECK(api.get(analyses).at("analyses").empty());
  for (const char* path : {"", "/cancel", "/export"}) {
    api.json(path == std::string("/cancel") ? "POST" : "GET", analyses + "/none" + path, 404);
  }
}

TEST_CASE("a map waits behind a search, and either is cancelled by its own route only") {
  const Api api;
  const auto search = api.submit(endless_job());
  api.wait_for(search, "running");
  const auto map = submit_map(api, stability_map());
  CHECK(status_of(api, map) == "queued");
  CHECK(api.json("GET", analyses + "/" + map + "/export", 409)["detail"]
            .get<std::string>()
            .starts_with("Analysis " + map + " has no result"));
  api.json("POST", "/api/v1/searches/" + map + "/cancel", 404);
  api.json("POST", analyses + "/" + search + "/cancel", 404);
  CHECK(status_of(api, map) == "queued");
  CHECK(api.status(search) == "running");
  CHECK(api.json("POST", analyses + "/" + map + "/cancel", 200).at("status") == "cancelled");
  const auto next = submit_map(api, stability_map());
  api.json("POST", "/api/v1/searches/" + search + "/cancel", 200);
  wait_for(api, next, "succeeded");
  CHECK(status_of(api, map) == "cancelled");
}

TEST_CASE("a running map is cancelled within its runs, and then deleted") {
  const Api api;
  const auto id = submit_map(api, endless_map());
  wait_for(api, id, "running");
  CHECK(api.json("DELETE", analyses + "/" + id, 409)["detail"].get<std::string>().starts_with(
      "Analysis " + id + " "));
  api.json("POST", analyses + "/" + id + "/cancel", 200);
  wait_for(api, id, "cancelled");
  CHECK(api.get(analyses + "/" + id).at("result").is_null());
  CHECK(api.call("DELETE", analyses + "/" + id).status == 204);
}

TEST_CASE("a map that a server leaves unfinished runs again in the next one") {
  const TemporaryDirectory directory;
  server::Log log(server::Log::Form::silent);
  const auto status_in = [&](db::Store& store, const std::string& id) {
    return store.get_analysis(id)->summary.status;
  };
  std::string id;
  {
    db::Store store(directory.file());
    server::SearchService service(store, log, {.threads = 2});
    service.start();
    id = std::get<db::AnalysisSummary>(submit_analysis(service.state(), endless_map())).id;
    REQUIRE(eventually([&] { return status_in(store, id) == "running"; }));
    service.stop();
    CHECK(status_in(store, id) == "interrupted");
  }
  {
    db::Store store(directory.file());
    store.start_analysis(id, "2025-01-31T12:00:00.000Z");  // as kill -9 leaves it
    server::SearchService service(store, log, {.threads = 2});
    service.start();
    REQUIRE(eventually([&] {
      return store.get_analysis(id)->summary.started_at.has_value() &&
             status_in(store, id) == "running";
    }));
    cancel_analysis(service.state(), id);
    REQUIRE(eventually([&] { return status_in(store, id) == "cancelled"; }));
  }
}

}  // namespace
}  // namespace macrostep::tests
