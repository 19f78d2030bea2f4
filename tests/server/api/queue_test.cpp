// The queue as users see it: who is next, who says so, and what a restart leaves of it.
#include <set>

#include "db/schema/sqlite.hpp"
#include "server/base/identity.hpp"
#include "server/queue/search_actions.hpp"
#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

const std::string queued_searches = "/api/v1/searches/";

Json with_priority(Json job, int priority) {
  job["priority"] = priority;
  return job;
}

TEST_CASE(
    "searches and analyses wait in one queue, the more important first, and tell their place") {
  const Api api;
  const auto running = api.submit(endless_job());
  api.wait_for(running, "running");
  const auto position = [&](const std::string& id) {
    return api.get(queued_searches + id).at("queue_position");
  };
  const auto first = api.submit(small_job());
  const Json map = {{"kind", "map"},
                    {"problem", "stiff_oscillator"},
                    {"search", {{"couplings", {"force_displacement"}}, {"extrapolation", {"0"}}}},
                    {"map",
                     {{"x", {{"parameter", "coupling.c_k"}, {"minimum", 1}, {"maximum", 2}}},
                      {"y", {{"parameter", "coupling.d_k"}, {"minimum", 1}, {"maximum", 2}}},
                      {"macro_steps_s", {1e-4}}}}};
  const auto analysis = api.json("POST", "/api/v1/analyses", 202, map.dump());
  CHECK(analysis.at("queue_position") == 2);
  const auto second =
      api.json("POST", "/api/v1/searches", 202, with_priority(small_job(), 5).dump());
  CHECK(second.at("queue_position") == 1);
  CHECK(position(first) == 2);
  CHECK(position(running).is_null());
  const std::string map_path = "/api/v1/analyses/" + analysis.at("id").get<std::string>();
  CHECK(api.get(map_path).at("queue_position") == 3);
  CHECK(
      api.json("PATCH", queued_searches + first, 200, R"({"priority": 50})").at("queue_position") ==
      1);
  CHECK(position(second.at("id")) == 2);
  const auto list = api.get("/api/v1/searches?sort=created_at").at("searches");
  CHECK(list.at(0).at("queue_position").is_null());
  CHECK(list.at(1).at("queue_position") == 1);
  CHECK(list.at(2).at("queue_position") == 2);

  api.json("POST", queued_searches + running + "/cancel", 200);
  REQUIRE(eventually([&] { return api.get(map_path).at("status") == "succeeded"; }));
  const auto started = [&](const std::string& path) {
    return api.get(path).at("started_at").get<std::string>();
  };
  CHECK(started(queued_searches + first) <=
        started(queued_searches + second.at("id").get<std::string>()));
  CHECK(started(queued_searches + second.at("id").get<std::string>()) <= started(map_path));
  CHECK(position(first).is_null());
}

TEST_CASE("a search that is cancelled and resumed waits behind those of its priority") {
  const Api api;
  const auto running = api.submit(endless_job());
  api.wait_for(running, "running");
  const auto first = api.submit(small_job());
  const auto second = api.submit(small_job());
  api.json("POST", queued_searches + first + "/cancel", 200);
  CHECK(api.get(queued_searches + second).at("queue_position") == 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(api.json("POST", queued_searches + first + "/resume", 200).at("queue_position") == 2);
}

TEST_CASE("a search runs by the plan that was made of its job, and that is stored when it starts") {
  const Api api;
  const auto running = api.submit(endless_job());
  api.wait_for(running, "running");
  const auto id = api.submit(small_job());
  const auto plan = api.store.get_search(id)->plan;
  // What is stored is not read again: else the search would run, and store, this one.
  db::Connection(api.file(), db::OpenMode::write_create)
      .prepare("UPDATE documents SET plan = json_set(plan, '$.name', 'other') WHERE search_id = ?1")
      .bind(id)
      .run();
  api.json("POST", queued_searches + running + "/cancel", 200);
  api.wait_for(id, "succeeded");
  CHECK(api.store.get_search(id)->plan == plan);
}

TEST_CASE("a restart keeps the order of what waits") {
  const TemporaryDirectory directory;
  server::Log log(server::Log::Form::silent);
  const auto summary_of = [](const server::SearchAnswer& answer) {
    return std::get<db::SearchSummary>(answer);
  };
  std::string cut_off;
  std::string plain;
  std::string important;
  {
    db::Store store(directory.file());
    server::SearchService service(store, log, {.threads = 2});
    service.start();
    cut_off = summary_of(submit_search(service.state(), endless_job())).id;
    REQUIRE(eventually([&] { return service.summary(cut_off)->status == "running"; }));
    plain = summary_of(submit_search(service.state(), small_job())).id;
    important = summary_of(submit_search(service.state(), with_priority(small_job(), 100))).id;
    service.stop();
    CHECK(service.summary(cut_off)->status == "interrupted");
  }
  db::Store store(directory.file());
  server::SearchService service(store, log, {.threads = 2});
  service.start();
  REQUIRE(eventually([&] { return service.summary(cut_off)->status == "running"; }));
  CHECK(service.summary(important)->status == "succeeded");
  CHECK(service.summary(plain)->status == "queued");
  CHECK(service.summary(plain)->queue_position == 1);
}

TEST_CASE("a server that keeps two searches deletes what ended before them, but what has a tag") {
  const Api api({.threads = 2, .retention = {.keep_searches = 2}});
  Json job = small_job();
  job["tags"] = {"kept"};
  const auto tagged = api.submit(job);
  std::vector<std::string> ids;
  for (int i = 0; i < 4; ++i) {
    ids.push_back(api.submit(small_job()));
  }
  const auto kept = [&] {
    std::set<std::string> left;  // those created in one millisecond are listed in either order
    const auto list = api.get("/api/v1/searches?status=succeeded");
    for (const auto& search : list.at("searches")) {
      left.insert(search.at("id"));
    }
    return left;
  };
  const std::set<std::string> expected{tagged, ids[2], ids[3]};
  CHECK(eventually([&] { return kept() == expected; }));
  CHECK(db::check_database(api.file()).empty());
}

TEST_CASE("a search whose last tag is taken off goes like the others, though nothing else ends") {
  const Api api({.threads = 2, .retention = {.keep_searches = 1}});
  Json job = small_job();
  job["tags"] = {"a", "b"};
  const auto tagged = api.submit(job);
  const auto newer = api.submit(small_job());
  api.wait_for(newer, "succeeded");
  const std::string path = "/api/v1/searches/" + tagged;
  api.json("PATCH", path, 200, R"({"tags": ["b"]})");
  api.get(path);
  api.json("PATCH", path, 200, R"({"tags": []})");
  CHECK(eventually([&] { return api.call("GET", path).status == 404; }));
  api.get("/api/v1/searches/" + newer);
}

TEST_CASE("a server that keeps searches for days deletes the older ones when it starts") {
  const TemporaryDirectory directory;
  server::Log log(server::Log::Form::silent);
  db::Store store(directory.file());
  const auto add = [&](const std::string& id, std::vector<std::string> tags,
                       const std::string& finished_at) {
    auto search = db::testing::new_search(id);
    search.tags = std::move(tags);
    store.create_search(search);
    store.set_status(id, {.status = "succeeded", .finished_at = finished_at});
  };
  add("old", {}, db::testing::time_at(1));
  add("tagged", {"kept"}, db::testing::time_at(1));
  add("new", {}, server::utc_now());
  server::SearchService service(store, log, {.threads = 1, .retention = {.keep_days = 30}});
  service.start();
  CHECK(eventually([&] { return !store.get_search("old").has_value(); }));
  CHECK(store.get_search("tagged").has_value());
  CHECK(store.get_search("new").has_value());
}

}  // namespace
}  // namespace macrostep::tests
