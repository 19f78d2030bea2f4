// Results in other forms: CSV by the Accept header, and exports for other tools.
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include "db/schema/sqlite.hpp"
#include "engine/base/text.hpp"
#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    CHECK(line.ends_with('\r'));
    line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

TEST_CASE("curves and trials come as CSV to who accepts that more than JSON") {
  const Api api;
  auto job = small_job();
  job["tests"][0]["name"] = "=1+1";  // no formula in a spreadsheet
  const auto id = api.submit(job);
  api.wait_for(id, "succeeded");
  const std::string path = "/api/v1/searches/" + id;
  const std::vector<server::http::NamedValue> csv{{"accept", "application/json;q=0.5, text/csv"}};

  const auto curves = api.call("GET", path + "/curves", "", csv);
  CHECK(curves.status == 200);
  CHECK(*curves.header("content-type") == "text/csv; charset=utf-8; header=present");
  CHECK(*curves.header("vary") == "accept");
  const auto lines = lines_of(curves.body);
  CHECK(lines.front().starts_with("search_id,curve_id,test,coupling,scheme,extrapolation,"));
  std::size_t at = 1;
  const auto as_json = api.get(path + "/curves");
  for (const auto& curve : as_json.at("curves")) {
    for (const auto& point : curve.at("points")) {
      REQUIRE(at < lines.size());
      const auto& line = lines[at++];
      CHECK(line.starts_with(id + "," + curve.at("id").dump() + ",'=1+1,force_displacement,"));
      CHECK(line.find("," + engine::exact_text(point.at("macro_step_s")) + ",") !=
            std::string::npos);
      CHECK(line.find("," + point.at("status").get<std::string>() + ",") != std::string::npos);
      const auto& usable_s = curve.at("usable_s");
      CHECK(line.ends_with("," + point.at("trial_id").dump() + "," +
                           (usable_s.is_null() ? "" : engine::exact_text(usable_s)) + "," +
                           curve.at("limited_by").get<std::string>()));
    }
  }
  CHECK(at == lines.size());

  const auto page = api.call("GET", path + "/trials?limit=3", "", csv);
  CHECK(lines_of(page.body).size() == 4);
  REQUIRE(page.header("link") != nullptr);
  const auto all = api.call("GET", path + "/trials?limit=1000", "", csv);
  CHECK(all.body == api.call("GET", path + "/export?format=csv").body);

  for (const char* route : {"/curves", "/trials"}) {
    const auto json = api.call("GET", path + route, "", {{"accept", "*/*"}});
    CHECK(*json.header("content-type") == "application/json");
    CHECK(*json.header("vary") == "accept");
    const auto neither = api.call("GET", path + route, "", {{"accept", "image/png"}});
    CHECK(neither.status == 406);
    CHECK(Json::parse(neither.body).at("detail").get<std::string>().find("text/csv") !=
          std::string::npos);
  }
}

TEST_CASE("what a search recommends is exported for other tools, as the command does") {
  const Api api;
  const auto id = api.submit(small_job());
  const auto file = [&](const std::string& search, const std::string& form) {
    return api.call("GET", "/api/v1/searches/" + search + "/export?format=" + form);
  };
  api.wait_for(id, "succeeded");
  const auto c = file(id, "c");
  CHECK(c.status == 200);
  CHECK(*c.header("content-type") == "text/x-c; charset=utf-8");
  CHECK(c.body.find(id) != std::string::npos);
  const auto refused_osp = file(id, "osp");  // its masters do not extrapolate
  CHECK(refused_osp.status == 409);
  CHECK(Json::parse(refused_osp.body)
            .at("detail")
            .get<std::string>()
            .find("cannot run extrapolation") != std::string::npos);
  auto held_job = small_job();
  held_job["search"]["extrapolation"] = {"0"};
  const auto held = api.submit(held_job);
  api.wait_for(held, "succeeded");
  const auto osp = file(held, "osp");
  CHECK(*osp.header("content-type") == "application/xml");
  CHECK(osp.body.find("<OspSystemStructure") != std::string::npos);
  const auto ssp = file(id, "ssp");
  CHECK(*ssp.header("content-type") == "application/zip");
  CHECK(ssp.body.starts_with("PK"));
  CHECK(ssp.header("content-disposition")->find("macrostep-" + id + ".ssp\"") != std::string::npos);
  CHECK(file(id, "xml").status == 400);

  auto nothing = small_job();
  nothing["search"]["schemes"] = {"iterative"};
  const auto none = api.submit(nothing);
  api.wait_for(none, "succeeded");
  for (const char* form : {"c", "osp", "ssp"}) {
    const auto refused = file(none, form);
    CHECK(refused.status == 409);
    CHECK(Json::parse(refused.body).at("detail").get<std::string>().find("recommends nothing") !=
          std::string::npos);
  }
  CHECK(file(none, "csv").status == 200);
}

TEST_CASE("an export that the machine fails at is no refusal of the search") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const auto exported = [&] {
    return api.call("GET", "/api/v1/searches/" + id + "/export?format=c");
  };
  const std::string sha256(64, 'a');
  {
    db::Connection sql(api.file(), db::OpenMode::write_create);
    sql.prepare("UPDATE documents SET plan = ?1 WHERE search_id = ?2")
        .bind(Json({{"problem", {{"subsystems", {{{"name", "m"}, {"fmu", sha256}}}}}}}).dump(), id)
        .run();
  }
  CHECK(exported().status == 409);
  // A link to itself cannot be followed.
  std::filesystem::create_symlink(sha256, server::fmu_directory_of(api.file()) / sha256);
  CHECK(exported().status == 503);
}

TEST_CASE("one SSP is packed at a time, and others are told when to ask again") {
  Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const auto path = "/api/v1/searches/" + id + "/export?format=";
  {
    const std::lock_guard packing(api.application().packing);
    std::optional<server::http::Response> refused;
    std::thread([&] { refused = api.call("GET", path + "ssp"); }).join();
    CHECK(refused->status == 503);
    CHECK(*refused->header("retry-after") == "2");
    CHECK(api.call("GET", path + "c").status == 200);
  }
  CHECK(api.call("GET", path + "ssp").status == 200);
}

}  // namespace
}  // namespace macrostep::tests
