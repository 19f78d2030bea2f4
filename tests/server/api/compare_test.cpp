// What tells searches apart.
#include <algorithm>
#include <cstdint>

#include "server/compare/comparison.hpp"
#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

std::string done(const Api& api, const Json& job) {
  const auto id = api.submit(job);
  api.wait_for(id, "succeeded");
  return id;
}

/// The values at a pointer, or null.
Json values_at(const Json& list, const std::string& pointer) {
  const auto found = std::ranges::find_if(
      list, [&](const Json& difference) { return difference.at("pointer") == pointer; });
  return found == list.end() ? Json() : found->at("values");
}

TEST_CASE("searches of one job are identical, and others differ where their jobs and results do") {
  const Api api;
  const auto first = done(api, small_job());
  const auto same = done(api, small_job());
  const auto alike = api.get("/api/v1/compare?ids=" + first + "," + same);
  CHECK(alike.at("identical") == true);
  for (const char* part : {"job", "recommendation", "curves", "curves_of_some", "cost"}) {
    CHECK(alike.at(part).empty());
  }
  CHECK(alike.at("searches").size() == 2);
  CHECK(alike["searches"][1].at("id") == same);
  CHECK(alike.at("wall_s").size() == 2);

  Json job = small_job();
  job["name"] = "other";
  job["search"]["extrapolation"] = {"2", "3"};
  job["parameters"] = {{"hydraulics.c", 2e5}};
  job["tests"].push_back({{"name", "impulse"}, {"kind", "impulse"}, {"width_s", 0.4}});
  const auto other = done(api, job);
  const auto answer = api.get("/api/v1/compare?ids=" + first + "," + same + "," + other);
  CHECK(answer.at("identical") == false);
  const auto& jobs = answer.at("job");
  CHECK(values_at(jobs, "/name") == Json{"small", "small", "other"});
  CHECK(values_at(jobs, "/search/extrapolation") ==
        Json::parse(R"([["1", "2"], ["1", "2"], ["2", "3"]])"));
  CHECK(values_at(jobs, "/parameters/hydraulics.c") == Json::parse("[null, null, 200000.0]"));
  CHECK(values_at(jobs, "/tests/0").is_null());
  const auto test = values_at(jobs, "/tests/1");
  CHECK(test[0].is_null());
  CHECK(test[2].at("kind") == "impulse");
  // Without what they have in common, each of the others stands once.
  CHECK(values_at(jobs, "/problem").is_null());
  CHECK_FALSE(values_at(answer.at("cost"), "/rhs_evaluations").is_null());
  CHECK(answer.at("curves").size() == 1);  // of order 2, which all have, with the softer hose
  CHECK(answer["curves"][0].at("configuration").at("extrapolation") == "2");
  CHECK(answer["curves"][0].at("bend_s").size() == 3);
  // Order 1 is in the first two, order 3 and everything of the impulse in the third alone.
  CHECK(answer.at("curves_of_some").size() == 4);
  for (const auto& curve : answer["curves_of_some"]) {
    const bool early = curve.at("configuration").at("extrapolation") == "1";
    CHECK(curve.at("present") == Json{early, early, !early});
  }

  const auto csv =
      api.call("GET", "/api/v1/compare?ids=" + first + "," + other, "", {{"accept", "text/csv"}});
  CHECK(csv.header("content-type")->starts_with("text/csv"));
  CHECK(csv.body.starts_with("part,pointer,test,configuration," + first + "," + other + "\r\n"));
  CHECK(csv.body.find("job,/name,,,small,other\r\n") != std::string::npos);
  CHECK(csv.body.find("curve,/bend_s,step,") != std::string::npos);
}

TEST_CASE("a search without a recommendation, or without an end, is compared with its nulls") {
  const Api api;
  const auto first = done(api, small_job());
  const auto endless = api.submit(endless_job());
  const auto answer = api.get("/api/v1/compare?ids=" + first + "," + endless);
  CHECK(answer.at("identical") == false);
  const auto recommended = values_at(answer.at("recommendation"), "");
  CHECK(recommended[0].is_object());
  CHECK(recommended[1].is_null());
  CHECK(answer.at("wall_s")[1].is_null());
  api.json("POST", "/api/v1/searches/" + endless + "/cancel", 200);
}

TEST_CASE("a comparison takes 2 to 20 searches that are there, each once") {
  const Api api;
  const auto id = done(api, small_job());
  const std::string path = "/api/v1/compare?ids=";
  api.json("GET", "/api/v1/compare", 400);
  api.json("GET", path, 400);
  api.json("GET", path + id, 400);
  api.json("GET", path + id + "," + id, 400);
  api.json("GET", path + id + ",none", 404);
  std::string many = id;
  for (int i = 0; i < 20; ++i) {
    many += ",x" + std::to_string(i);
  }
  api.json("GET", path + many, 400);
}

TEST_CASE("a comparison takes so many curves in all and no more") {
  const Api api;
  const auto first = done(api, small_job());
  const auto second = done(api, small_job());
  const std::string path = "/api/v1/compare?ids=" + first + "," + second;
  const auto has_curves = [&](const std::string& id, std::int64_t curves) {
    db::Connection sql(api.file(), db::OpenMode::write_create);
    auto update = sql.prepare("UPDATE searches SET curves_total = ?2 WHERE id = ?1");
    update.bind(id, curves).run();
  };
  has_curves(second, server::max_compared_curves - 2);
  CHECK(api.get(path).at("searches").size() == 2);
  has_curves(second, server::max_compared_curves - 1);
  const std::string detail = api.json("GET", path, 400).at("detail");
  CHECK(detail ==
        "ids: these searches have 200001 curves together; at most 200000 can be compared");
}

}  // namespace
}  // namespace macrostep::tests
