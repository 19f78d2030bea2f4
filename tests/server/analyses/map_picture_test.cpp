// The picture of a map: regions where values are within the limit, and the SVG made of them.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/studies/map.hpp"
#include "server/analyses/map_json.hpp"
#include "server/analyses/map_regions.hpp"
#include "server/analyses/map_svg.hpp"

namespace json = macrostep::server::json;
namespace engine = macrostep::engine;
using macrostep::server::Plane;
using macrostep::server::region_of;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("a border lies where the logarithms of both sides meet the limit") {
  // 1 and 100 around a limit of 10: half-way. 1 and 1000: at a third.
  const Plane plane{
      .columns = 2, .rows = 2, .limit = 10, .two_sided = true, .width = 30, .height = 30};
  CHECK(region_of({1, 100, 1, 100}, plane).border == "M15 30L15 0");
  CHECK(region_of({1, 1000, 1, 1000}, plane).border == "M10 30L10 0");
}

TEST_CASE("the border of a stable region is where the growth beyond it begins") {
  // ρ = 1.1 and 1.21 in the second and third column: 1 would be in the first, whatever it has.
  const Plane plane{.columns = 4, .rows = 2, .limit = 1, .width = 300, .height = 100};
  const auto border =
      region_of({0.9999, 0.9999, 1.1, std::pow(1.1, 3), 0.9999, 0.9999, 1.1, std::pow(1.1, 3)},
                plane)
          .border;
  CHECK(border == "M150 100L150 0");
}

TEST_CASE("whole cells join to a rectangle, and what has no value is outside") {
  const Plane plane{.columns = 3, .rows = 2, .limit = 1, .width = 20, .height = 10};
  CHECK(region_of({0, 0, 0, 0, 0, 0}, plane).area == "M0 10H20V0H0Z");
  CHECK(region_of({0, 0, 0, 0, 0, 0}, plane).border.empty());
  const auto part = region_of({0, 0, NAN, 0, 0, NAN}, plane);
  CHECK(part.border == "M15 10L15 0");
  CHECK(region_of({2, NAN, 3, 2, NAN, INFINITY}, plane).area.empty());
}

TEST_CASE("a map is drawn with a panel per configuration and a colour per macro-step") {
  const auto read = json::read_map(nlohmann::json::parse(R"({"problem": "stiff_oscillator",
    "name": "a < b & c", "search": {"couplings": ["force_displacement"],
    "extrapolation": ["0", "1"]},
    "map": {"x": {"parameter": "coupling.c_k", "minimum": 1, "maximum": 1e10, "count": 9},
            "y": {"parameter": "m1.m", "minimum": 1, "maximum": 5, "count": 5, "scale": "linear"},
            "macro_steps_s": {"minimum_s": 1e-5, "maximum_s": 1e-3, "count": 3}}})"));
  const auto& map = std::get<json::MapPlan>(read);
  const auto svg = macrostep::server::map_svg(map, engine::compute_map(map.plan, map.map, {}));
  CHECK(svg.find("a &lt; b &amp; c") != std::string::npos);
  CHECK(svg.find("a < b") == std::string::npos);
  CHECK(count_of(svg, ">extrapolation ") == 2);
  CHECK(count_of(svg, "<title>H = ") == 2 * 3);
  CHECK(count_of(svg, "coupling.c_k [N/m]") == 2);
  CHECK(count_of(svg, "m1.m [kg]") == 2);
  CHECK(count_of(svg, "<g") == count_of(svg, "</g>"));
  CHECK(count_of(svg, "<text") == count_of(svg, "</text>"));
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  CHECK(svg.find("1 ms") != std::string::npos);
}
