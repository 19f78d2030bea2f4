// macrostep map: stability and accuracy over two parameters and H.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "db/store/store.hpp"
#include "tests/server/child_process.hpp"

namespace {

constexpr const char* stability_map = R"({"kind": "map", "problem": "stiff_oscillator",
  "search": {"couplings": ["force_displacement"], "extrapolation": ["0", "1"]},
  "map": {"x": {"parameter": "coupling.c_k", "minimum": 1, "maximum": 1e10, "count": 6},
          "y": {"parameter": "coupling.d_k", "minimum": 1, "maximum": 1e6, "count": 4},
          "macro_steps_s": [1e-3, 1e-5]}})";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a map as JSON has the largest stable H of every point, and all values") {
  const Outcome outcome = run_program({"map", "-", "--json"}, stability_map);
  REQUIRE(outcome.code == 0);
  const auto map = nlohmann::json::parse(outcome.out);
  CHECK(map["macro_steps_s"] == nlohmann::json::array({1e-5, 1e-3}));
  CHECK(map["x"]["unit"] == "N/m");
  CHECK(map["y"]["values"] == nlohmann::json::array({1, 100, 1e4, 1e6}));
  REQUIRE(map["configurations"].size() == 2);
  for (const auto& configuration : map["configurations"]) {
    for (std::size_t y = 0; y < 4; ++y) {
      for (std::size_t x = 0; x < 6; ++x) {
        const auto value = [&](std::size_t layer) {
          return configuration["layers"][layer]["values"][y][x].get<double>();
        };
        const auto expected = value(0) > 1 + 1e-9   ? nlohmann::json()
                              : value(1) > 1 + 1e-9 ? nlohmann::json(1e-5)
                                                    : nlohmann::json(1e-3);
        CHECK(configuration["largest_macro_step_s"][y][x] == expected);
      }
    }
  }
  // Held inputs lag: on a stiff and hardly damped coupling no H is stable.
  CHECK(map["configurations"][0]["largest_macro_step_s"][0][5].is_null());
  CHECK(map["configurations"][0]["largest_macro_step_s"][0][0] == 1e-3);
}

TEST_CASE("a map as CSV has a line per configuration, H and point, with units in its header") {
  const Outcome outcome = run_program({"map", "-", "--csv", "-"}, stability_map);
  REQUIRE(outcome.code == 0);
  CHECK(std::ranges::count(outcome.out, '\n') == 1 + 2 * 2 * 24);
  std::istringstream lines(outcome.out);
  std::string line;
  std::getline(lines, line);
  CHECK(has(line, ",coupling.c_k [N/m],coupling.d_k [N s/m],macro_step_s,"));
  CHECK(has(line, ",relative_spectral_radius,stable,"));
  std::getline(lines, line);
  CHECK(line.starts_with("0,force_displacement,jacobi,,0,"));
  CHECK(has(line, ",1,1,1e-05,0.99999"));
  CHECK(line.ends_with(",1,\r"));
  CHECK(has(outcome.err, "b     H = 1 ms"));
}

TEST_CASE("all mistakes of a map are named at once") {
  const Outcome outcome = run_program({"map", "-"}, R"({"kind": "search", "problem":
    "stiff_oscillator", "search": {"schemes": ["jacoby"]}, "map": {"x": {"parameter":
    "coupling.c", "minimum": 1, "maximum": "2", "scale": "lin"}, "quantity": "error",
    "macro_steps_s": {"minimum_s": 0, "count": 101}, "colour": 1}})");
  CHECK(outcome.code == 2);
  for (const char* part :
       {"/kind: must be \"map\"", "/search/schemes/0: ", "/map/x/maximum: must be a number",
        "/map/x/scale: \"lin\"", "/map/y: is missing", "/map/quantity: \"error\"",
        "/map/macro_steps_s/minimum_s: must be greater than 0",
        "/map/macro_steps_s/count: must be a whole number", "/map/colour: unknown member"}) {
    CHECK_MESSAGE(has(outcome.err, part), outcome.err);
  }
  const Outcome values = run_program({"map", "-"}, R"({"problem": "stiff_oscillator", "map": {
    "x": {"parameter": "coupling.c_k", "minimum": 0, "maximum": 1},
    "y": {"parameter": "coupling.d", "minimum": 2, "maximum": 1}}})");
  CHECK(values.code == 2);
  CHECK(has(values.err, "/map/y/parameter: \"coupling.d\" is not available; did you mean"));
  CHECK(has(run_program({"map", "linear_oscillator"}).err, "/map: is missing"));
}

TEST_CASE("a map with --db is stored, and drawn with --svg") {
  const Scratch scratch;
  const auto file = scratch.file("maps.db");
  const Outcome outcome =
      run_program({"map", "-", "--db", file, "--svg", scratch.file("map.svg")}, stability_map);
  REQUIRE(outcome.code == 0);
  CHECK(has(outcome.out, "Stored as analysis "));
  const macrostep::db::Store store(file, {.access = macrostep::db::Access::read});
  const auto page = store.list_analyses(10);
  REQUIRE(page.rows.size() == 1);
  CHECK(page.rows[0].status == "succeeded");
  CHECK(store.map_layers(page.rows[0].id).size() == 4);
  std::ifstream picture(scratch.file("map.svg"));
  std::string first;
  std::getline(picture, first);
  CHECK(first.starts_with("<svg "));
  CHECK(run_program({"map", "-", "--svg", "-"}, stability_map).out.starts_with("<svg "));
  const Outcome both = run_program({"map", "-", "--svg", "-", "--csv", "-"}, stability_map);
  CHECK(both.code == 2);
  CHECK(has(both.err, "--svg -: must be a file"));
}

TEST_CASE("a configuration without any value says why, and is not called unstable") {
  const Outcome outcome = run_program({"map", "-", "--svg", "-"}, R"({"kind": "map",
    "problem": "linear_oscillator",
    "search": {"couplings": ["force_displacement"], "extrapolation": ["0"],
               "corrections": ["none", "energy"]},
    "map": {"x": {"parameter": "coupling.k_c", "minimum": 1, "maximum": 100, "count": 3},
            "y": {"parameter": "m2.m", "minimum": 1, "maximum": 10, "count": 3},
            "macro_steps_s": [1e-3]}})");
  REQUIRE(outcome.code == 0);
  CHECK(has(outcome.out, ">no value:<"));
  const auto at = outcome.err.find("energy correction");
  REQUIRE(at != std::string::npos);
  CHECK(has(outcome.err.substr(at), "no value: the energy correction divides by the flow"));
  CHECK(!has(outcome.err.substr(at), "share of the plane"));
  CHECK(has(outcome.err.substr(0, at), "share of the plane"));
}
