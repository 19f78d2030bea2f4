// The job of a map: read, completed, and written in its normal form.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "server/analyses/map_json.hpp"

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

TEST_CASE("what a map may have is known where a member is not") {
  auto job = crane_map;
  job["foo"] = 1;
  const auto map = json::read_map(job);
  const auto* errors = std::get_if<engine::FieldErrors>(&map);
  REQUIRE(errors);
  REQUIRE(errors->size() == 1);
  CHECK(errors->front().pointer == "/foo");
  CHECK(errors->front().message.find(", map") != std::string::npos);
}

TEST_CASE("a map of a problem with FMUs is refused as that, and not for the FMUs") {
  auto job = crane_map;
  job["problem"] = {
      {"subsystems", {{{"name", "a"}, {"fmu", "a.fmu"}}, {{"name", "b"}, {"fmu", "b.fmu"}}}},
      {"connections", nlohmann::json::array()},
      {"power_bonds", nlohmann::json::array()}};
  const auto map = json::read_map(job);
  const auto* errors = std::get_if<engine::FieldErrors>(&map);
  REQUIRE(errors);
  CHECK(errors->front().pointer == "/problem/subsystems/0/fmu");
  CHECK(errors->front().message == "a map is of built-in problems only");
}
