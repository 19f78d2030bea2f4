// GET /api/v1/searches with filters and orders.
#include <set>

#include "server/base/time_text.hpp"
#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

const std::string list_path = "/api/v1/searches";

std::vector<std::string> names_in(const Json& list) {
  std::vector<std::string> names;
  for (const auto& search : list.at("searches")) {
    names.push_back(search.at("name"));
  }
  return names;
}

using Names = std::vector<std::string>;

/// Three searches at rest: one running, two waiting.
struct ListedSearches {
  explicit ListedSearches(const Api& api) : api_(api) {
    Json job = endless_job();
    job["name"] = "Gamma 100%";
    job["tags"] = {"rig 2", "kept"};
    api.wait_for(api.submit(job), "running");
    job["problem"] = "double_actuator_crane";
    job["name"] = "alpha_1";
    job["tags"] = {"rig 2"};
    api.submit(job);
    job["name"] = "Beta";
    job["tags"] = Json::array();
    api.submit(job);
  }
  Names operator()(const std::string& query) const {
    return names_in(api_.get(list_path + "?" + query));
  }

 private:
  const Api& api_;
};

TEST_CASE("a list of searches is filtered by status, problem, tags, name and time") {
  const Api api;
  const ListedSearches listed(api);
  CHECK(listed("limit=10") == Names{"Beta", "alpha_1", "Gamma 100%"});
  CHECK(listed("status=queued") == Names{"Beta", "alpha_1"});
  CHECK(listed("status=running,queued,failed").size() == 3);
  CHECK(listed("problem=double_actuator_crane") == Names{"Beta", "alpha_1"});
  CHECK(listed("problem=none").empty());
  CHECK(listed("tag=rig+2") == Names{"alpha_1", "Gamma 100%"});
  CHECK(listed("tag=kept,rig%202") == Names{"Gamma 100%"});
  CHECK(listed("name=A_1") == Names{"alpha_1"});
  CHECK(listed("name=%25") == Names{"Gamma 100%"});
  CHECK(listed("name=_") == Names{"alpha_1"});
  CHECK(listed("name=%27%20OR%201%3D1%20--").empty());
  CHECK(listed("status=queued&tag=rig+2&name=alpha&problem=double_actuator_crane") ==
        Names{"alpha_1"});
  CHECK(listed("created_after=2020-01-01T00:00:00Z").size() == 3);
  CHECK(listed("created_before=2020-01-01T00:00:00.5%2B01:00").empty());
  const std::string beta = api.get(list_path).at("searches")[0].at("created_at");
  CHECK(listed("created_before=" + beta) == Names{"alpha_1", "Gamma 100%"});
  CHECK(listed("created_after=" + beta).empty());
  // Shorter than a millisecond, but after it.
  for (const char* more : {"1Z", "0001Z", "000000000000001Z"}) {
    CHECK(listed("created_before=" + beta.substr(0, 23) + more).size() == 3);
    CHECK(listed("created_after=" + beta.substr(0, 23) + more).empty());
  }
  CHECK(listed("created_before=" + beta.substr(0, 23) + "0000000Z").size() == 2);
  // A little before it.
  const std::string alpha = api.get(list_path).at("searches")[1].at("created_at");
  CHECK(listed("created_after=" + alpha.substr(0, 23) + "0000001Z") == Names{"Beta"});
  // The last instant of what text can tell.
  CHECK(listed("created_before=9999-12-31T23:59:59.9999999Z").size() == 3);
  CHECK(listed("created_before=9999-12-31T23:59:59.999Z").size() == 3);
  CHECK(listed("created_after=9999-12-31T23:59:59.9999999Z").empty());
  CHECK(api.store.full_scan_steps() == 0);
}

TEST_CASE("a list of searches is sorted by creation, end or name") {
  const Api api;
  const ListedSearches listed(api);
  CHECK(listed("sort=created_at") == Names{"Gamma 100%", "alpha_1", "Beta"});
  CHECK(listed("sort=-created_at") == listed("limit=3"));
  CHECK(listed("sort=name") == Names{"alpha_1", "Beta", "Gamma 100%"});
  CHECK(listed("sort=-name") == Names{"Gamma 100%", "Beta", "alpha_1"});
  const std::string id = api.get(list_path + "?name=beta").at("searches")[0].at("id");
  api.json("POST", list_path + "/" + id + "/cancel", 200);
  CHECK(listed("sort=finished_at").front() == "Beta");
  CHECK(listed("sort=-finished_at").back() == "Beta");
}

TEST_CASE("the Link of a page keeps its filters, and its next is refused with others") {
  const Api api;
  const ListedSearches listed(api);
  const std::string query = "?tag=rig+2&sort=name&created_after=2020-01-01T00:00:00%2B01:00";
  const auto page = api.call("GET", list_path + query + "&limit=1");
  CHECK(names_in(Json::parse(page.body)) == Names{"alpha_1"});
  const std::string link = *page.header("link");
  REQUIRE(link.starts_with("<" + list_path + "?"));
  REQUIRE(link.ends_with(">; rel=\"next\""));
  const auto second = api.call("GET", link.substr(1, link.find('>') - 1));
  CHECK(names_in(Json::parse(second.body)) == Names{"Gamma 100%"});
  CHECK(second.header("link") == nullptr);
  const std::string next = Json::parse(page.body).at("next");
  for (const std::string other : {"?sort=name", "?tag=rig+2&sort=-name", "?limit=1"}) {
    const auto problem = api.json("GET", list_path + other + "&after=" + next, 400);
    CHECK(problem.at("detail").get<std::string>().starts_with("after: "));
  }
}

TEST_CASE("a filter or an order that is none is refused, naming the parameter and what it may be") {
  const Api api;
  const std::pair<const char*, const char*> rows[] = {
      {"status=done", "queued, running, succeeded, failed, cancelled, interrupted"},
      {"status=", "queued"},
      {"status=queued,,failed", "queued"},
      {"problem=", "1 to 200 bytes"},
      {"name=", "1 to 200 bytes"},
      {"tag=", "1 to 20 tags"},
      {"tag=a,", "1 to 20 tags"},
      {"created_after=yesterday", "RFC 3339"},
      {"created_before=2025-02-30T00:00:00Z", "RFC 3339"},
      {"created_before=2025-01-31T13:00:00+01:00", "%2B"},
      {"sort=status", "created_at, -created_at, finished_at, -finished_at, name, -name"},
      {"sort=", "created_at"},
      {"sort=--name", "name"},
  };
  for (const auto& [query, allowed] : rows) {
    CAPTURE(query);
    const std::string detail =
        api.json("GET", list_path + "?" + query, 400).at("detail").get<std::string>();
    const std::string text = query;
    CHECK(detail.starts_with(text.substr(0, text.find('=')) + ": must "));
    CHECK_MESSAGE(detail.find(allowed) != std::string::npos, detail);
  }
}

// The store is in use: each route is called where it finds something.
TEST_CASE("no route scans a table") {
  const Api api({.threads = 2, .retention = {.keep_searches = 5, .keep_days = 5}});
  for (int i = 0; i < 3; ++i) {
    api.call("POST", list_path, small_job().dump(),
             {{"idempotency-key", "key" + std::to_string(i)}});
  }
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const Json map = {{"kind", "map"},
                    {"problem", "stiff_oscillator"},
                    {"search", {{"couplings", {"force_displacement"}}, {"extrapolation", {"0"}}}},
                    {"map",
                     {{"x", {{"parameter", "coupling.c_k"}, {"minimum", 1}, {"maximum", 2}}},
                      {"y", {{"parameter", "coupling.d_k"}, {"minimum", 1}, {"maximum", 2}}},
                      {"macro_steps_s", {1e-4}}}}};
  const auto analysis =
      api.call("POST", "/api/v1/analyses", map.dump(), {{"idempotency-key", "key"}});
  const std::string map_path = *analysis.header("location");
  REQUIRE(eventually([&] { return api.get(map_path).at("status") == "succeeded"; }));
  std::set<std::string> called;
  for (const auto& route : api.router().routes()) {
    std::string path = route.pattern;
    const auto put = [&](const std::string& name, const std::string& value) {
      if (const auto at = path.find(name); at != std::string::npos) {
        path.replace(at, name.size(), value);
      }
    };
    if (route.method == "DELETE" || !path.starts_with("/")) {
      continue;
    }
    put("/analyses/{id}", map_path.substr(map_path.find("/analyses")));
    put("{id}", id);
    put("{n}", "0");
    put("{sha256}", std::string(64, 'a'));
    put("{name}", "linear_oscillator");
    const auto response = api.call(route.method, path, "{}");
    CHECK_MESSAGE(response.status < 500, route.method << " " << path);
    if (response.stream) {
      CHECK_FALSE(response.stream->source(0, 10).events.empty());
    }
    called.insert(route.method + " " + route.pattern);
  }
  CHECK(called.size() > 20);
  CHECK_FALSE(api.call("GET", "/api/v1/events?search=" + id).stream->source(0, 10).events.empty());
  CHECK(api.call("DELETE", list_path + "/" + id).status == 204);
  CHECK(api.call("DELETE", map_path).status == 204);
  api.json("DELETE", "/api/v1/fmus/" + std::string(64, 'a'), 404);
  CHECK(api.store.full_scan_steps() == 0);
}

TEST_CASE("times are read as RFC 3339 has them and nothing else") {
  using server::time_from;
  using server::utc_text;
  const auto utc = [](const std::string& text) {
    const auto time = time_from(text);
    return time ? utc_text(time->not_after) : "none";
  };
  const auto next = [](const std::string& text) { return utc_text(time_from(text)->not_before); };
  CHECK(utc("2025-01-31T12:00:00Z") == "2025-01-31T12:00:00.000Z");
  CHECK(utc("2025-01-31t12:00:00.1239999z") == "2025-01-31T12:00:00.123Z");
  CHECK(next("2025-01-31t12:00:00.1239999z") == "2025-01-31T12:00:00.124Z");
  CHECK(next("2025-01-31T12:00:00.123Z") == "2025-01-31T12:00:00.123Z");
  CHECK(next("2025-01-31T12:00:00.12300000000000000000Z") == "2025-01-31T12:00:00.123Z");
  CHECK(next("2025-01-31T12:00:59.99900000000000000001Z") == "2025-01-31T12:01:00.000Z");
  CHECK(utc("2025-01-31T12:00:00.1Z") == "2025-01-31T12:00:00.100Z");
  CHECK(utc("2025-01-01T00:30:00+01:00") == "2024-12-31T23:30:00.000Z");
  CHECK(utc("2024-02-28T23:30:00-00:45") == "2024-02-29T00:15:00.000Z");
  CHECK(utc("2016-12-31T23:59:60Z") == "2017-01-01T00:00:00.000Z");
  for (const char* bad :
       {"", "2025-01-31", "2025-01-31T12:00:00", "2025-01-31 12:00:00Z", "2025-01-31T12:00Z",
        "2025-02-29T12:00:00Z", "2025-13-01T12:00:00Z", "2025-01-31T24:00:00Z",
        "2025-01-31T12:00:00.Z", "2025-01-31T12:00:00+1:00", "2025-01-31T12:00:00+24:00",
        "2025-01-31T12:00:00Zx", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        "-025-01-31T12:00:00Z", "2025-01-31T12:00:00 01:00"}) {
    CHECK_MESSAGE(utc(bad) == "none", bad);
  }
}

}  // namespace
}  // namespace macrostep::tests
