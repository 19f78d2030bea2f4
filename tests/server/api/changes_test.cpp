// What a user writes on a search: in its job, and by PATCH while it waits, runs or has ended.
#include <set>

#include "server/http/message/policy.hpp"
#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

const std::string changed_searches = "/api/v1/searches/";

std::set<std::string> mistakes(const Json& problem) {
  std::set<std::string> found;
  for (const auto& error : problem.at("errors")) {
    found.insert(error.at("pointer"));
  }
  return found;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

Json labelled_job() {
  Json job = small_job();
  job["note"] = "after the\nnew valve";
  job["tags"] = {"rig 2", "crane"};
  job["priority"] = -7;
  return job;
}

TEST_CASE("note, tags and priority of a job are kept with the search and change nothing of it") {
  const Api api;
  const auto plain = api.submit(small_job());
  const auto id = api.submit(labelled_job());
  api.wait_for(id, "succeeded");
  const auto search = api.get(changed_searches + id);
  CHECK(search.at("note") == "after the\nnew valve");
  CHECK(search.at("tags") == Json({"crane", "rig 2"}));
  CHECK(search.at("priority") == -7);
  CHECK_FALSE(search.at("job").contains("tags"));
  CHECK(search.at("job") == api.get(changed_searches + plain).at("job"));
  CHECK(api.essence_of(id) == api.essence_of(plain));
  const auto list = api.get("/api/v1/searches").at("searches");
  CHECK(list.at(0).at("tags") == search.at("tags"));
  CHECK(list.at(1).at("note") == "");
}

TEST_CASE("a change made from what is not so any more is refused") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const auto path = changed_searches + id;
  const auto etag = [&] {
    const server::http::Request request{.method = "GET",
                                        .target = server::http::parse_target(path).value(),
                                        .headers = {},
                                        .body = {},
                                        .id = "test",
                                        .captures = {}};
    auto response = api.router().handle(request, api.router().find(request));
    server::http::complete_response(request, response);
    return *response.header("etag");
  };
  const auto change = [&](const std::string& note,
                          std::vector<server::http::NamedValue> conditions) {
    return api.call("PATCH", path, Json({{"note", note}}).dump(), std::move(conditions));
  };
  const auto first = etag();
  CHECK(change("one", {{"if-match", first}}).status == 200);
  const auto second = etag();
  REQUIRE(second != first);
  const auto refused = change("two", {{"if-match", first}});
  CHECK(refused.status == 412);
  CHECK(Json::parse(refused.body).at("type") == "/problems/precondition-failed");
  CHECK(change("two", {{"if-match", "W/" + second}}).status == 412);
  CHECK(change("one", {{"if-match", first}}).status == 412);  // though it would change nothing
  CHECK(change("two", {{"if-match", ""}}).status == 412);
  CHECK(api.get(path).at("note") == "one");
  CHECK(change("three", {{"if-match", first + " ,\t" + second + ","}}).status == 200);
  CHECK(change("four", {{"if-match", first}, {"if-match", etag()}}).status == 200);
  CHECK(change("five", {{"if-match", "*"}}).status == 200);
  CHECK(change("six", {}).status == 200);
  CHECK(api.get(path).at("note") == "six");
  CHECK(api.call("PATCH", changed_searches + "none", "{}", {{"if-match", "*"}}).status == 404);
}

TEST_CASE("labels of a job are checked like its other members") {
  const Api api;
  Json job = labelled_job();
  job["note"] = repeated("ä", 4001);
  job["tags"] = {"", repeated("ü", 51), "a,b", "\xc2\x85", "twice", "twice", 3};
  job["priority"] = 101;
  const auto problem = api.json("POST", "/api/v1/searches", 422, job.dump());
  CHECK(mistakes(problem) == std::set<std::string>{"/note", "/tags/0", "/tags/1", "/tags/2",
                                                   "/tags/3", "/tags/5", "/tags/6", "/priority"});
  job["note"] = repeated("ä", 4000);
  job["tags"] = Json::array();
  for (int i = 0; i < 20; ++i) {
    job["tags"].push_back(repeated("ü", 48) + std::to_string(10 + i));
  }
  job["priority"] = 100;
  const std::string id = api.json("POST", "/api/v1/searches", 202, job.dump()).at("id");
  CHECK(api.get(changed_searches + id).at("tags").size() == 20);
  job["tags"].push_back("one more");
  CHECK(mistakes(api.json("POST", "/api/v1/searches", 422, job.dump())) ==
        std::set<std::string>{"/tags"});
  // Analyses have none, and say so instead of leaving them out.
  const Json map = {{"kind", "map"}, {"problem", "stiff_oscillator"}, {"tags", {"a"}}};
  CHECK(mistakes(api.json("POST", "/api/v1/analyses", 422, map.dump())).contains("/tags"));
  const Json tuning = {
      {"kind", "tune"},
      {"problem", "linear_oscillator"},
      {"priority", 1},
      {"tune", {{"macro_step_s", 0.001}, {"also", {{{"note", "x"}}}}}},
      {"search", {{"couplings", {"force_displacement"}}, {"extrapolation", {"0"}}}}};
  CHECK(mistakes(api.json("POST", "/api/v1/analyses", 422, tuning.dump())).contains("/priority"));
}

TEST_CASE("a change takes what it names, and null puts the default back") {
  const Api api;
  const auto id = api.submit(labelled_job());
  api.wait_for(id, "succeeded");
  const auto change = [&](const Json& patch) {
    return api.json("PATCH", changed_searches + id, 200, patch.dump());
  };
  auto summary = change({{"name", "'; DROP TABLE searches; --"}, {"tags", {"z", "a"}}});
  CHECK(summary.at("name") == "'; DROP TABLE searches; --");
  CHECK(summary.at("tags") == Json({"a", "z"}));
  CHECK(summary.at("note") == "after the\nnew valve");
  CHECK(summary.at("status") == "succeeded");
  summary = change({{"note", nullptr}, {"tags", nullptr}});
  CHECK(summary.at("note") == "");
  CHECK(summary.at("tags") == Json::array());
  CHECK(change(Json::object()) == summary);
  // The priority it has is no change, so that a client may send back what it has read.
  CHECK(change({{"priority", -7}}) == summary);
  CHECK(api.get(changed_searches + id).at("name") == summary.at("name"));
}

TEST_CASE("all mistakes of a change are told with their pointers, and nothing is changed") {
  const Api api;
  const auto id = api.submit(labelled_job());
  api.wait_for(id, "succeeded");
  const auto refused = [&](const std::string& body, int status) {
    return api.json("PATCH", changed_searches + id, status, body);
  };
  const auto problem = refused(
      R"({"name": null, "note": 3, "tags": ["ok", ""], "priority": 1.5, "status": "queued"})", 422);
  CHECK(problem.at("type") == "/problems/invalid-change");
  CHECK(mistakes(problem) ==
        std::set<std::string>{"/name", "/note", "/tags/1", "/priority", "/status"});
  CHECK(mistakes(refused("[]", 422)) == std::set<std::string>{""});
  refused("{", 400);
  refused(R"({"name": "a", "name": "b"})", 400);
  CHECK(refused(R"({"note": "new", "priority": 3})", 409)
            .at("detail")
            .get<std::string>()
            .find("does not wait") != std::string::npos);
  CHECK(api.get(changed_searches + id).at("note") == "after the\nnew valve");
}

TEST_CASE("a change is an event, also of a search that has ended") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const auto before = api.store.last_event_sequence();
  api.json("PATCH", changed_searches + id, 200, R"({"name": "new", "tags": ["kept"]})");
  const auto events = api.store.events_after(before, 10);
  REQUIRE(events.size() == 1);
  CHECK(events[0].name == "changed");
  CHECK(Json::parse(events[0].data) ==
        Json({{"search", id}, {"name", "new"}, {"note", ""}, {"tags", {"kept"}}, {"priority", 0}}));
}

TEST_CASE("a change that changes nothing tells no event") {
  const Api api;
  const auto id = api.submit(labelled_job());
  api.wait_for(id, "succeeded");
  const auto before = api.store.last_event_sequence();
  const auto summary = api.get("/api/v1/searches").at("searches").at(0);
  const Json same = {{"name", summary.at("name")},
                     {"note", summary.at("note")},
                     {"tags", {"rig 2", "crane"}},
                     {"priority", -7}};
  CHECK(api.json("PATCH", changed_searches + id, 200, "{}") == summary);
  CHECK(api.json("PATCH", changed_searches + id, 200, same.dump()) == summary);
  CHECK(api.store.last_event_sequence() == before);
  // The event of a change tells what is new and what stays.
  Json other = same;
  other["note"] = "another";
  api.json("PATCH", changed_searches + id, 200, other.dump());
  const auto events = api.store.events_after(before, 10);
  REQUIRE(events.size() == 1);
  CHECK(Json::parse(events[0].data).at("tags") == Json({"crane", "rig 2"}));
}

TEST_CASE("the priority of a search changes while it waits only") {
  const Api api;
  const auto running = api.submit(endless_job());
  api.wait_for(running, "running");
  const auto waiting = api.submit(small_job());
  CHECK(api.json("PATCH", changed_searches + waiting, 200, R"({"priority": 9})").at("priority") ==
        9);
  api.json("PATCH", changed_searches + running, 409, R"({"priority": 9})");
  api.json("PATCH", changed_searches + running, 200, R"({"note": "watch this"})");
  api.json("POST", changed_searches + running + "/cancel", 200);
  api.wait_for(running, "cancelled");
  CHECK(api.get(changed_searches + running).at("note") == "watch this");
}

}  // namespace
}  // namespace macrostep::tests
