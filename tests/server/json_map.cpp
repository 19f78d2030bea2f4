// The job of a map: read, completed, and written in its normal form.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "server/json/map_json.hpp"

namespace json = macrostep::server::json;
namespace engine = macrostep::engine;

namespace {

const nlohmann::json crane_map = {
    {"kind", "map"},
    {"problem", "double_actuator_crane"},
    {"map",
     {{"x", {{"parameter", "hydraulics_1.c"}, {"minimum", 1e5}, {"maximum", 4e5}}},
      {"y", {{"parameter", "mechanics.m"}, {"minimum", 100}, {"maximum", 300}}},
      {"quantity", "accuracy"}}}};

json::MapPlan read(const nlohmann::json& document) {
  auto map = json::read_map(document);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&map)) {
    for (const auto& error : *errors) {
      FAIL_CHECK(error.pointer << ": " << error.message);
    }
    FAIL("not a map");
  }
  return std::move(std::get<json::MapPlan>(map));
}

}  // namespace

TEST_CASE("a map takes what it does not say from its problem, and its normal form reads the same") {
  const auto map = read(crane_map);
  CHECK(map.map.test == "step");
  CHECK(map.map.macro_steps_s.size() == 8);
  CHECK(map.map.macro_steps_s.front() == 2e-4);
  CHECK(map.map.macro_steps_s.back() == 0.02);
  CHECK(map.map.x.scale == engine::MapScale::log);
  CHECK(json::unit_of(map.plan, map.map.x.parameter) == "N s/m");
  const auto again = read(json::map_job_json(map));
  CHECK(again.map == map.map);
  CHECK(again.plan.job == map.plan.job);
}

TEST_CASE("server/README.md lists exactly the members of a map") {
  std::set<std::string> written;
  const auto job = json::map_job_json(read(crane_map));
  for (const auto& [name, member] : job["map"].items()) {
    if (!member.is_object()) {
      written.insert("map." + name);
      continue;
    }
    for (const auto& [inner, value] : member.items()) {
      written.insert("map." + name + "." + inner);
    }
  }
  std::ifstream file(MACROSTEP_SOURCE_DIR "/server/README.md");
  std::set<std::string> listed;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    inside = (inside || line == "<!-- map -->") && line != "<!-- end of map -->";
    if (inside && line.starts_with("| `")) {
      listed.insert(line.substr(3, line.find('`', 3) - 3));
    }
  }
  for (const auto& name : written) {
    CHECK_MESSAGE(listed.contains(name), name << " is not in the README");
  }
  for (const auto& name : listed) {
    CHECK_MESSAGE(written.contains(name), name << " is in the README only");
  }
}
