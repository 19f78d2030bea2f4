// The user's own problem in a job: what is read, what is kept, and where its mistakes are.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "engine/search/run_search.hpp"
#include "server/analyses/tuning_job.hpp"
#include "server/jobs/job_json.hpp"
#include "server/jobs/read_job.hpp"
#include "server/store/search_json.hpp"

namespace engine = macrostep::engine;
namespace json = macrostep::server::json;

namespace {

/// A mass of 10 kg (a) on a spring of 100 N/m with a damper of 5 N s/m (b), pushed by an external
/// force u through b: v' = f/10; x' = v, f = −100 x − 5 v + u.
nlohmann::json mass_on_spring() {
  return nlohmann::json::parse(R"({"problem": {
    "subsystems": [
      {"name": "a", "state_space": {"A": [[0]], "B": [[0.1]], "C": [[1]],
        "inputs": [{"name": "f", "unit": "N"}], "outputs": [{"name": "v", "unit": "m/s"}]}},
      {"name": "b", "state_space": {"A": [[0]], "B": [[1, 0]], "C": [[-100]], "D": [[-5, 1]],
        "x0": [0.1],
        "inputs": [{"name": "v", "unit": "m/s"}, {"name": "u", "unit": "N"}],
        "outputs": [{"name": "f", "unit": "N", "nominal": 50}]}}],
    "connections": [{"from": "a.v", "to": "b.v"},
                    {"from": "b.f", "to": "a.f", "extrapolate": false, "delay_macro_steps": 0}],
    "power_bonds": [{"effort": "b.f", "flow": "a.v", "factor": 1}],
    "external_inputs": [{"to": "b.u", "initial": 0, "minimum": -10, "maximum": 10,
                         "sampling": "held"}]}})");
}

engine::FieldErrors job_errors(const nlohmann::json& job) {
  const auto plan = json::plan_of(json::read_job(job));
  const auto* errors = std::get_if<engine::FieldErrors>(&plan);
  return errors == nullptr ? engine::FieldErrors{} : *errors;
}

std::string listed_errors(const engine::FieldErrors& errors) {
  std::string text;
  for (const auto& [pointer, message] : errors) {
    text += pointer + ": " + message + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a problem of one's own is searched like a built-in one") {
  auto job = mass_on_spring();
  job["search"] = {
      {"extrapolation", {"0", "1"}},
      {"integrators", {{"a", {"trapezoidal"}}, {"b", {"trapezoidal", "forward_euler"}}}},
      {"macro_step", {{"initial_s", 0.002}, {"increment_s", 0.004}, {"maximum_s", 0.2}}}};
  job["tests"] = nlohmann::json::parse(R"([{"kind": "step", "duration_s": 4, "inputs": ["b.u"]}])");
  auto plan = json::plan_of(json::read_job(job));
  REQUIRE_MESSAGE(std::holds_alternative<engine::Plan>(plan),
                  listed_errors(std::get<engine::FieldErrors>(plan)));
  const auto& ready = std::get<engine::Plan>(plan);
  CHECK(ready.configurations.size() == 4);  // two orders × two integrators of b
  const auto result = engine::run_search(ready, {.threads = 1});
  const auto rows = macrostep::server::rows_of({.plan = ready,
                                                .result = result,
                                                .trials = {},
                                                .created_at = "2025-01-31T12:00:00.000Z",
                                                .finished_at = "2025-01-31T12:00:01.000Z"});
  const auto search = nlohmann::json::parse(
      macrostep::server::search_json(rows, macrostep::server::TrialPoints::without));
  CHECK(search["problem"] == "own");
  CHECK(search["sentence"].get<std::string>().find("for a and ") != std::string::npos);
  CHECK(search["job"]["problem"]["subsystems"].size() == 2);
  CHECK(search["curves"].size() == 4);
}

TEST_CASE("an own problem's job has defaults and a normal form") {
  const auto first = json::read_job(mass_on_spring());
  REQUIRE_MESSAGE(first.errors.empty(), listed_errors(first.errors));
  CHECK(first.job.space.couplings.size() == 1);
  using enum macrostep::models::Integrator;
  CHECK(first.job.space.integrators.at("b") == std::vector{exact, trapezoidal});
  CHECK(first.job.tests.size() == 3);
  const auto form = json::job_json(first.job);
  const auto& kept = form["problem"]["subsystems"];
  CHECK(kept[0]["state_space"]["D"] == nlohmann::json::parse("[[0.0]]"));
  CHECK(kept[0]["state_space"]["x0"] == nlohmann::json::parse("[0.0]"));
  CHECK(kept[1]["state_space"]["outputs"][0]["nominal"] == 50);
  CHECK(form["problem"]["connections"][0]["extrapolate"] == true);
  const auto second = json::read_job(nlohmann::json::parse(form.dump()));
  CHECK_MESSAGE(second.errors.empty(), listed_errors(second.errors));
  CHECK(second.job == first.job);
  CHECK(json::job_json(second.job).dump() == form.dump());
}

TEST_CASE("a sampled subsystem keeps its sample time and has nothing to choose") {
  auto job = mass_on_spring();
  auto& spring = job["problem"]["subsystems"][1]["state_space"];
  spring["A"] = nlohmann::json::parse("[[1]]");  // x_(k+1) = x_k + T v
  spring["B"] = nlohmann::json::parse("[[0.002, 0]]");
  spring["sample_time_s"] = 0.002;
  const auto first = json::read_job(job);
  REQUIRE_MESSAGE(first.errors.empty(), listed_errors(first.errors));
  CHECK(first.job.own_problem->subsystems[1].state_space.sample_time_s == 0.002);
  CHECK(first.job.space.integrators.at("b") == std::vector{macrostep::models::Integrator::exact});
  const auto form = json::job_json(first.job);
  CHECK(form["problem"]["subsystems"][1]["state_space"]["sample_time_s"] == 0.002);
  CHECK_FALSE(form["problem"]["subsystems"][0]["state_space"].contains("sample_time_s"));
  CHECK(json::read_job(nlohmann::json::parse(form.dump())).job == first.job);
  CHECK(std::holds_alternative<engine::Plan>(json::plan_of(first)));

  spring["sample_time_s"] = 0;
  const auto errors = job_errors(job);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].pointer == "/problem/subsystems/1/state_space/sample_time_s");
  CHECK(errors[0].message.find("greater than 0") != std::string::npos);
}

TEST_CASE("a subsystem without A, B and C has no state, and is written as it was read") {
  auto job = mass_on_spring();
  // f = −5 v + u: a damper.
  auto& damper = job["problem"]["subsystems"][1]["state_space"];
  for (const char* member : {"A", "B", "C", "x0"}) {
    damper.erase(member);
  }
  damper["D"] = {{-5, 1}};
  const auto planned = json::plan_of(json::read_job(job));
  REQUIRE_MESSAGE(std::holds_alternative<engine::Plan>(planned), listed_errors(job_errors(job)));
  const auto written = json::job_json(std::get<engine::Plan>(planned).job);
  const auto& space = written["problem"]["subsystems"][1]["state_space"];
  CHECK_FALSE(space.contains("A"));
  CHECK(space["D"] == nlohmann::ordered_json{{-5.0, 1.0}});
  CHECK(json::job_json(std::get<engine::Plan>(
                           json::plan_of(json::read_job(nlohmann::json::parse(written.dump()))))
                           .job) == written);
}

TEST_CASE("matrices may be numbers, texts as of MATLAB, and empty where there is no state") {
  const auto normal_form = [](const nlohmann::json& job) {
    const auto planned = json::plan_of(json::read_job(job));
    REQUIRE_MESSAGE(std::holds_alternative<engine::Plan>(planned), listed_errors(job_errors(job)));
    return json::job_json(std::get<engine::Plan>(planned).job);
  };
  const auto rows = mass_on_spring();
  auto written = rows;
  auto& mass = written["problem"]["subsystems"][0]["state_space"];
  mass["A"] = 0;
  mass["B"] = "0.1";
  mass["C"] = "[1]";
  auto& spring = written["problem"]["subsystems"][1]["state_space"];
  spring["A"] = "[ 0 ]";
  spring["B"] = "[1, 0]";
  spring["C"] = -100;
  spring["D"] = "[-5\t+1 ]";
  spring["x0"] = 0.1;
  CHECK(normal_form(written) == normal_form(rows));

  auto pair = mass_on_spring();
  auto& two_states = pair["problem"]["subsystems"][0]["state_space"];
  two_states["A"] = {{0, 1}, {-4, -0.5}};
  two_states["B"] = {{0}, {0.1}};
  two_states["C"] = {{0, 1}};
  two_states["x0"] = {1, 2};
  const auto by_rows = normal_form(pair);
  two_states["A"] = "[0 1; -4 -5e-1;]";
  two_states["B"] = "[0\n0.1]";
  two_states["C"] = "0 1";
  for (const char* start : {"[1; 2]", "[1 2]", "1, 2"}) {
    two_states["x0"] = start;
    CHECK(normal_form(pair) == by_rows);
  }

  auto damper = mass_on_spring();
  auto& gain = damper["problem"]["subsystems"][1]["state_space"];
  gain = {{"D", {{-5, 1}}}, {"inputs", gain["inputs"]}, {"outputs", gain["outputs"]}};
  const auto without = normal_form(damper);
  for (const auto& empty : {nlohmann::json::array(), nlohmann::json("[]"), nlohmann::json("")}) {
    gain["A"] = gain["B"] = gain["C"] = gain["x0"] = empty;
    CHECK(normal_form(damper) == without);
    auto lacking = damper;
    lacking["problem"]["subsystems"][1]["state_space"].erase("D");
    CHECK(listed_errors(job_errors(lacking))
              .starts_with("/problem/subsystems/1/state_space/D: is missing\n"));
  }
}

TEST_CASE("a matrix that is none says where") {
  const std::string a = "/problem/subsystems/0/state_space/A: ";
  const auto error_with = [](const nlohmann::json& value) {
    auto job = mass_on_spring();
    job["problem"]["subsystems"][0]["state_space"]["A"] = value;
    return listed_errors(job_errors(job));
  };
  CHECK(error_with("[0 1; x 2]") ==
        a + "\"x\" in row 2 is not a number; a matrix as text is like \"[0 1; -4 0]\"\n");
  CHECK(error_with("[1 - 2]").starts_with(a + "\"-\" in row 1 is not a number"));
  CHECK(error_with("[inf]").starts_with(a + "\"inf\" in row 1 is not a number"));
  CHECK(error_with("[1e999]").starts_with(a + "\"1e999\" in row 1 is not a number"));
  CHECK(error_with("[0 1; 2]") == a + "row 2 has 1 numbers, the first row 2\n");
  CHECK(error_with("[0").starts_with(a + "begins or ends with a bracket"));
  for (const char* text : {"[1,,2]", "[,1 2]", "[1, 2,]", "[1 2; ,]"}) {
    CAPTURE(text);
    CHECK(error_with(text).starts_with(a + "lacks a number beside a comma in row "));
  }
  CHECK(error_with(true) ==
        a + "must be rows of numbers, a number, or a text like \"[0 1; -4 0]\"\n");
  auto job = mass_on_spring();
  job["problem"]["subsystems"][0]["state_space"]["x0"] = "[1 2; 3 4]";
  CHECK(listed_errors(job_errors(job)) ==
        "/problem/subsystems/0/state_space/x0: has several rows and columns; it must be one row or "
        "one column\n");
}

TEST_CASE("what a linear subsystem lacks is said where it has no matrices, or not all") {
  const auto errors_with = [](const std::vector<std::string>& matrices) {
    auto job = mass_on_spring();
    auto& space = job["problem"]["subsystems"][1]["state_space"];
    for (const std::string member : {"A", "B", "C", "D"}) {
      if (std::ranges::find(matrices, member) == matrices.end()) {
        space.erase(member);
      }
    }
    space.erase("x0");
    return listed_errors(job_errors(job));
  };
  const std::string space = "/problem/subsystems/1/state_space";
  CHECK(errors_with({}) ==
        space + ": has no matrices: give A, B and C, or without a state D alone\n");
  CHECK(errors_with({"A", "C", "D"}) == space + "/B: is missing\n");
  CHECK(errors_with({"A", "B", "C"}) == "");
  CHECK(errors_with({"D"}) == "");
}

TEST_CASE("without external inputs the default test drives nothing") {
  auto job = mass_on_spring();
  job["problem"].erase("external_inputs");
  auto& spring = job["problem"]["subsystems"][1]["state_space"];
  spring["inputs"].erase(1);
  spring["B"] = nlohmann::json::parse("[[1]]");
  spring["D"] = nlohmann::json::parse("[[-5]]");
  const auto reading = json::read_job(job);
  REQUIRE_MESSAGE(reading.errors.empty(), listed_errors(reading.errors));
  REQUIRE(reading.job.tests.size() == 1);
  CHECK(reading.job.tests[0].kind == engine::TestKind::none);
}

TEST_CASE("every mistake of an own problem is named at its place") {
  struct Case {
    const char* patch;  ///< JSON patch of the job (RFC 6902)
    const char* pointer;
    const char* message;
  };
  const Case cases[] = {
      {R"({"op": "remove", "path": "/problem/connections"})", "/problem/connections", "is missing"},
      {R"({"op": "add", "path": "/problem/powerbonds", "value": []})", "/problem/powerbonds",
       "did you mean \"power_bonds\"?"},
      {R"({"op": "add", "path": "/problem/subsystems/0/state_space/Q", "value": []})",
       "/problem/subsystems/0/state_space/Q",
       "unknown member; known here: inputs, outputs, A, B, C, D, sample_time_s, x0"},
      {R"({"op": "add", "path": "/problem/subsystems/0/fmu", "value": "x.fmu"})",
       "/problem/subsystems/0/fmu", "FMUs are not available"},
      {R"({"op": "replace", "path": "/problem/subsystems/1/name", "value": "a"})",
       "/problem/subsystems/1/name", "name of its own"},
      {R"({"op": "replace", "path": "/problem/subsystems/0/state_space/A",
           "value": [[0], [1, 2]]})",
       "/problem/subsystems/0/state_space/A/1", "has 2 numbers, the first row 1"},
      {R"({"op": "replace", "path": "/problem/subsystems/0/state_space/A", "value": [["x"]]})",
       "/problem/subsystems/0/state_space/A/0/0", "must be a number, not text"},
      {R"({"op": "replace", "path": "/problem/subsystems/1/state_space/B", "value": [[1]]})",
       "/problem/subsystems/1/state_space/B", ""},
      {R"({"op": "replace", "path": "/problem/connections/0/from", "value": "a"})",
       "/problem/connections/0/from", "must be SUBSYSTEM.PORT"},
      {R"({"op": "replace", "path": "/problem/connections/0/from", "value": "a.x"})",
       "/problem/connections/0/from", ""},
      {R"({"op": "replace", "path": "/problem/connections/1/delay_macro_steps", "value": -1})",
       "/problem/connections/1/delay_macro_steps", "whole number from 0 to"},
      {R"({"op": "add", "path": "/problem/connections/2", "value": {"from": "a.v", "to": "b.v"}})",
       "/problem/connections/2/to", "two sources"},
      {R"({"op": "add", "path": "/problem/connections/2", "value": {"from": "a.v", "to": "b.u"}})",
       "/problem/external_inputs/0/to", "two sources"},
      {R"({"op": "remove", "path": "/problem/connections/1"})", "/problem/connections", "a.f"},
      {R"({"op": "replace", "path": "/problem/power_bonds", "value": []})", "/problem/power_bonds",
       "no power bond to watch; `macrostep fmu job FILE` proposes some"},
      {R"({"op": "remove", "path": "/problem/power_bonds"})", "/problem/power_bonds",
       "is missing; `macrostep fmu job FILE` proposes some"},
      {R"({"op": "replace", "path": "/problem/power_bonds/0/effort", "value": ["b.f", "b.g"]})",
       "/problem/power_bonds/0", "as many efforts as flows"},
      {R"({"op": "replace", "path": "/problem/power_bonds/0/effort", "value": ["b.f", 1]})",
       "/problem/power_bonds/0/effort/1", "must be text"},
      {R"({"op": "replace", "path": "/problem/subsystems/0/state_space/outputs/0/unit",
           "value": "furlong"})",
       "/problem/subsystems/0/state_space/outputs/0/unit", "'furlong' is not a unit"},
      {R"({"op": "replace", "path": "/problem/external_inputs/0/sampling", "value": "often"})",
       "/problem/external_inputs/0/sampling",
       "\"often\" is not available; available: continuous, held"},
      {R"({"op": "replace", "path": "/problem/external_inputs/0/minimum", "value": 5})",
       "/problem/external_inputs/0", "minimum"},
      {R"({"op": "add", "path": "/parameters", "value": {"a.m": 1}})", "/parameters/a.m",
       "are for built-in problems; the numbers of this one are changed in the job"},
      {R"({"op": "add", "path": "/search", "value": {"couplings": ["x"]}})", "/search/couplings/0",
       "available: default"},
  };
  for (const Case& test : cases) {
    CAPTURE(test.patch);
    const auto job =
        mass_on_spring().patch(nlohmann::json::array({nlohmann::json::parse(test.patch)}));
    const auto errors = job_errors(job);
    CHECK_MESSAGE(std::ranges::any_of(errors,
                                      [&](const engine::FieldError& error) {
                                        return error.pointer == test.pointer &&
                                               error.message.find(test.message) !=
                                                   std::string::npos;
                                      }),
                  listed_errors(errors));
  }
}

TEST_CASE("a port that does not exist is told once the ports that do can be read") {
  auto job = mass_on_spring();
  job["problem"]["connections"][0]["from"] = "a.x";
  const auto right = job;
  job["problem"]["subsystems"][0]["state_space"]["outputs"][0]["colour"] = "red";
  const auto first = job_errors(job);
  REQUIRE_MESSAGE(first.size() == 1, listed_errors(first));
  CHECK(first[0].pointer == "/problem/subsystems/0/state_space/outputs/0/colour");
  CHECK(listed_errors(job_errors(right)).find("/problem/connections/0/from") != std::string::npos);
}

TEST_CASE("a mistake of the problem is no mistake of the tests that drive its inputs") {
  auto job = mass_on_spring();
  job["tests"] = nlohmann::json::parse(R"([{"kind": "step", "inputs": ["b.u"]}])");
  CHECK(job_errors(job).empty());
  job["problem"]["subsystems"][0]["state_space"]["outputs"][0]["unit"] = "furlong";
  const auto errors = job_errors(job);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].pointer == "/problem/subsystems/0/state_space/outputs/0/unit");
}

TEST_CASE("a tuning takes other numbers of one's own problem, and no other problem") {
  auto job = mass_on_spring();
  job["kind"] = "tune";
  job["search"] = {{"extrapolation", {"0"}},
                   {"integrators", {{"a", {"trapezoidal"}}, {"b", {"trapezoidal"}}}}};
  auto other = mass_on_spring()["problem"];
  other["subsystems"][1]["state_space"]["x0"] = {0.2};
  job["tune"] = {{"macro_step_s", 0.01}, {"also", {{{"problem", other}}}}};
  const auto errors_of = [&] {
    const auto tuning = json::read_tuning(job, {});
    const auto* errors = std::get_if<engine::FieldErrors>(&tuning);
    return errors ? listed_errors(*errors) : std::string();
  };
  CHECK(errors_of() == "");
  auto& further = job["tune"]["also"][0]["problem"];
  further["connections"][0]["delay_macro_steps"] = 1;
  CHECK(errors_of().starts_with("/tune/also/0: must have the problem"));
  further = other;
  further["subsystems"][0]["state_space"]["outputs"][0]["name"] = "w";
  further["connections"][0]["from"] = "a.w";
  further["power_bonds"][0]["flow"] = "a.w";
  CHECK(errors_of().starts_with("/tune/also/0: must have the problem"));
}

TEST_CASE("a bond of an FMU that is not there is no second mistake") {
  auto job = mass_on_spring();
  job["problem"]["subsystems"][0] = {{"name", "a"}, {"fmu", "x.fmu"}};
  job["problem"]["power_bonds"][0].erase("factor");
  const auto errors = job_errors(job);
  REQUIRE_MESSAGE(errors.size() == 1, listed_errors(errors));
  CHECK(errors[0].pointer == "/problem/subsystems/0/fmu");
}

TEST_CASE("a bond without a factor must be in watts, one with a factor need not") {
  auto job = mass_on_spring();
  auto& bond = job["problem"]["power_bonds"][0];
  auto& a = job["problem"]["subsystems"][0]["state_space"];
  auto& b = job["problem"]["subsystems"][1]["state_space"];
  a["outputs"][0].erase("unit");
  b["inputs"][0].erase("unit");
  CHECK_MESSAGE(job_errors(job).empty(), listed_errors(job_errors(job)));  // a factor of 1 is given
  const auto reading = json::read_job(job);
  CHECK(json::read_job(nlohmann::json::parse(json::job_json(reading.job).dump())).job ==
        reading.job);

  bond.erase("factor");
  const auto errors = job_errors(job);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].pointer == "/problem/power_bonds/0");
  CHECK_MESSAGE(errors[0].message.find("'a.v' in no unit is not in W") != std::string::npos,
                errors[0].message);
  b["inputs"][0]["unit"] = "m/s";
  CHECK_MESSAGE(
      listed_errors(job_errors(job)).find("'a.v' is in no unit, 'b.v' in m/s") != std::string::npos,
      listed_errors(job_errors(job)));
  const auto watts = json::read_job(mass_on_spring().patch(
      nlohmann::json::parse(R"([{"op": "remove", "path": "/problem/power_bonds/0/factor"}])")));
  CHECK_FALSE(json::job_json(watts.job)["problem"]["power_bonds"][0].contains("factor"));
}

TEST_CASE("mistakes in matrices do not hide those in connections, bonds and search") {
  struct Case {
    const char* matrix;  ///< the wrong A of subsystem a
    const char* pointer;
  };
  for (const Case& test : {Case{"[[0, 1]]", "/problem/subsystems/0/state_space/A"},
                           Case{R"([["x"]])", "/problem/subsystems/0/state_space/A/0/0"}}) {
    auto job = mass_on_spring();
    job["problem"]["subsystems"][0]["state_space"]["A"] = nlohmann::json::parse(test.matrix);
    job["problem"]["connections"][0]["from"] = "a.x";
    job["problem"]["external_inputs"][0]["sampling"] = "often";
    job["search"] = {{"extrapolation", {"7"}}};
    const auto errors = job_errors(job);
    for (const char* pointer : {test.pointer, "/problem/connections/0/from",
                                "/problem/external_inputs/0/sampling", "/search/extrapolation/0"}) {
      CHECK_MESSAGE(
          std::ranges::count(errors, std::string(pointer), &engine::FieldError::pointer) == 1,
          pointer << "\n"
                  << listed_errors(errors));
    }
  }
}

TEST_CASE("what follows from a mistake is not reported as another one") {
  auto job = mass_on_spring();
  job["problem"]["subsystems"][0]["state_space"]["A"] = {{"x"}};
  CHECK_MESSAGE(job_errors(job).size() == 1, listed_errors(job_errors(job)));
  job = mass_on_spring();
  job["problem"]["subsystems"][1]["state_space"]["inputs"][0].erase("name");
  CHECK_MESSAGE(job_errors(job).size() == 1, listed_errors(job_errors(job)));
  job = mass_on_spring();
  job["problem"]["subsystems"][1].erase("state_space");
  CHECK_MESSAGE(job_errors(job).size() == 1, listed_errors(job_errors(job)));
}
