// How far a curve may be used, and what limits it, is decided and stored once: every form tells it.
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "db/schema/sqlite.hpp"
#include "engine/base/text.hpp"
#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

const std::string searches_route = "/api/v1/searches/";

/// Usable H as text, empty where there is none, and what limits it; by curve.
using Limits = std::map<int, std::pair<std::string, std::string>>;

Limits of_json(const Json& curves) {
  Limits limits;
  for (const auto& curve : curves) {
    const auto& usable_s = curve.at("usable_s");
    limits[curve.at("id")] = {usable_s.is_null() ? "" : engine::exact_text(usable_s),
                              curve.at("limited_by")};
  }
  return limits;
}

/// They are neighbouring cells, in every line so many before its last one.
Limits of_csv(const std::string& text, std::size_t id_cell, int from_last) {
  Limits limits;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const auto without_last = [from_last](std::string& of) {
    for (int cell = 0; cell < from_last; ++cell) {
      of = of.substr(0, of.rfind(',')) + "\r";
    }
  };
  without_last(line);
  CHECK(line.ends_with(",usable_s,limited_by\r"));
  while (std::getline(lines, line)) {
    without_last(line);
    std::istringstream cells(line);
    std::string id;
    for (std::size_t i = 0; i <= id_cell; ++i) {
      std::getline(cells, id, ',');
    }
    const auto last = line.rfind(',');
    const auto before = line.rfind(',', last - 1);
    limits[std::stoi(id)] = {line.substr(before + 1, last - before - 1),
                             line.substr(last + 1, line.size() - last - 2)};
  }
  return limits;
}

Limits of_view(const Api& api, const std::string& id) {
  db::Connection sql(api.file(), db::OpenMode::read);
  auto points = sql.prepare(
      "SELECT curve_id, usable_s, limited_by FROM v_residual_curves WHERE search_id = ?1");
  points.bind(id);
  Limits limits;
  while (points.step()) {
    std::int64_t curve = 0;
    std::optional<double> usable_s;
    std::string limited_by;
    points.read(curve, usable_s, limited_by);
    limits[static_cast<int>(curve)] = {usable_s ? engine::exact_text(*usable_s) : "", limited_by};
  }
  return limits;
}

TEST_CASE("how far a curve may be used, and why no farther, is one decision in every form") {
  const Api api;
  auto job = small_job();
  job["search"]["relative_residual_max"] = 0.02;
  job["search"]["extrapolation"] = {"0", "1", "2"};
  const auto id = api.submit(job);
  api.wait_for(id, "succeeded");
  const auto limits = of_json(api.get(searches_route + id + "/curves").at("curves"));
  REQUIRE_FALSE(limits.empty());
  bool any = false;
  const auto meanings = api.get(searches_route + id).at("flag_meanings");
  for (const auto& [curve, limit] : limits) {
    any = any || !limit.first.empty();
    CHECK(meanings.contains(limit.second));
  }
  CHECK(any);
  CHECK(of_json(api.get(searches_route + id).at("curves")) == limits);
  CHECK(of_json(api.get(searches_route + id + "/export").at("curves")) == limits);
  CHECK(of_csv(api.call("GET", searches_route + id + "/curves", "", {{"accept", "text/csv"}}).body,
               1, 0) == limits);
  CHECK(of_csv(api.call("GET", searches_route + id + "/export?format=csv").body, 2, 1) == limits);
  CHECK(of_view(api, id) == limits);
}

}  // namespace
}  // namespace macrostep::tests
