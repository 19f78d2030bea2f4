// macrostep tune: settings of the energy correction.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "db/store/store.hpp"
#include "server/analyses/tuning_job.hpp"
#include "tests/server/child_process.hpp"

TEST_CASE("tune writes the settings it found and all that it tried") {
  const std::vector<std::string> arguments{"tune",
                                           "nonlinear_oscillator",
                                           "--macro-step",
                                           "0.002",
                                           "--extrapolation",
                                           "0",
                                           "--test",
                                           "none",
                                           "--until",
                                           "1"};
  auto as_json = arguments;
  as_json.push_back("--json");
  const Outcome outcome = run_program(as_json);
  REQUIRE(outcome.code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["objective"] == "energy_deviation");
  CHECK(json["by_formula"]["mu"] == 0.5);
  CHECK(json["best"]["objective"]["none"] < json["by_formula"]["objective"]["none"]);
  auto as_csv = arguments;
  as_csv.insert(as_csv.end(), {"--csv", "-"});
  const Outcome shown = run_program(as_csv);
  CHECK(shown.out.starts_with("mu,nu,limit,ratio,none\n"));
  CHECK(static_cast<std::size_t>(std::ranges::count(shown.out, '\n')) ==
        json["landscape"].size() + 1);
}

TEST_CASE(
    "tune names its own default test, and does not send to itself for what no formula knows") {
  const Outcome help = run_program({"tune", "--help"});
  CHECK(help.out.find("(default: all of the job)") != std::string::npos);
  const Outcome tuned =
      run_program({"tune", "nonlinear_oscillator", "--macro-step", "0.002", "--extrapolation", "0",
                   "--test", "none", "--until", "0.1", "--scheme", "gauss_seidel"});
  CHECK(tuned.out.find("the formula for mu does not hold: it is for the scheme jacobi.") !=
        std::string::npos);
  CHECK(tuned.out.find("macrostep tune") == std::string::npos);
}

TEST_CASE("a run tells the deviation of its energy as tune does") {
  const std::vector<std::string> arguments{"linear_oscillator",
                                           "--macro-step",
                                           "0.001",
                                           "--extrapolation",
                                           "0",
                                           "--test",
                                           "none",
                                           "--until",
                                           "1"};
  const auto with = [&](const char* command, const std::vector<std::string>& more) {
    std::vector<std::string> all{command};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run_program(all);
    REQUIRE(outcome.code == 0);
    return outcome.out;
  };
  const auto tuned = nlohmann::json::parse(with("tune", {"--json"}));
  const auto deviation = [&](const std::vector<std::string>& more) {
    auto all = more;
    all.push_back("--json");
    return nlohmann::json::parse(with("run", all))["error"]["energy_rms"].get<double>();
  };
  CHECK(deviation({}) ==
        doctest::Approx(tuned["uncorrected"]["objective"]["none"].get<double>()).epsilon(1e-9));
  CHECK(deviation({"--correction", "energy"}) ==
        doctest::Approx(tuned["by_formula"]["objective"]["none"].get<double>()).epsilon(1e-9));
  CHECK(deviation({"--correction", "energy"}) < deviation({}));
  CHECK(with("run", {}).find("RMS deviation") != std::string::npos);
}

TEST_CASE("tune counts the tests of further jobs, and draws what it tried") {
  const Scratch scratch;
  const std::string other = scratch.file("other.json");
  std::ofstream(other)
      << R"({"problem": "linear_oscillator", "parameters": {"m1.v0": 0, "m1.x0": 3},
    "tests": [{"name": "push", "kind": "impulse", "duration_s": 0.5, "width_s": 0.1}]})";
  const std::string picture = scratch.file("tuned.svg");
  const std::vector<std::string> arguments{
      "tune",  "linear_oscillator", "--macro-step", "0.002",  "--extrapolation",
      "0",     "--until",           "0.5",          "--also", other,
      "--json"};
  auto drawn = arguments;
  drawn.insert(drawn.end(), {"--svg", picture});
  const Outcome outcome = run_program(drawn);
  REQUIRE(outcome.code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["uncorrected"]["objective"].contains("2.push"));
  std::ifstream file(picture);
  const std::string svg((std::istreambuf_iterator<char>(file)), {});
  CHECK(svg.starts_with("<svg "));
  CHECK(svg.ends_with("</svg>\n"));
  for (const char* text : {"limit 10 %", "limit 100 %", ">formula<", "Energy correction of"}) {
    CHECK(svg.find(text) != std::string::npos);
  }
  // 11 shares × 5 gains × 4 limits, each a number.
  std::size_t cells = 0;
  for (auto at = svg.find("stroke=\"#fff\""); at != std::string::npos;
       at = svg.find("stroke=\"#fff\"", at + 1)) {
    ++cells;
  }
  CHECK(cells >= 220);

  auto both = arguments;
  both.insert(both.end(), {"--svg", "-"});
  CHECK(run_program(both).err.find("--svg -: must be a file") != std::string::npos);
  auto foreign = arguments;
  foreign.insert(foreign.end(), {"--also", "coupled_pendula"});
  CHECK(run_program(foreign).err.find("must be a job of the problem") != std::string::npos);
}

TEST_CASE("tune names what it cannot do") {
  const Outcome wrong = run_program({"tune", "linear_oscillator", "--macro-step", "0.001",
                                     "--extrapolation", "0", "--objective", "speed"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("--objective: must be energy_deviation") != std::string::npos);
  const Outcome none =
      run_program({"tune", "linear_oscillator", "--macro-step", "0.001", "--extrapolation", "0",
                   "--coupling", "displacement_displacement"});
  CHECK(none.code == 1);
  CHECK(none.out.find("exchanges none") != std::string::npos);
}

TEST_CASE("a tuning is kept in the database, its landscape with it") {
  const Scratch scratch;
  const std::string file = scratch.file("tunings.db");
  const Outcome outcome =
      run_program({"tune", "nonlinear_oscillator", "--macro-step", "0.002", "--extrapolation", "0",
                   "--test", "none", "--until", "0.5", "--db", file});
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out.find("Stored as analysis ") != std::string::npos);
  const macrostep::db::Store store(file, {.access = macrostep::db::Access::read});
  const auto analyses = store.list_analyses(10).rows;
  REQUIRE(analyses.size() == 1);
  CHECK(analyses.front().kind == "tune");
  CHECK(analyses.front().status == "succeeded");
  const auto row = store.get_analysis(analyses.front().id);
  REQUIRE(row);
  REQUIRE(row->result);
  const auto result = nlohmann::json::parse(*row->result);
  CHECK(result["landscape"].size() >= 11 * 5 * 4 - 4);  // without the settings that do nothing
  const auto job = nlohmann::json::parse(row->job);
  CHECK(job["tune"]["macro_step_s"] == 0.002);
  CHECK(job["search"]["integrators"]["m1"].size() == 1);
}

TEST_CASE("tune stretches or shortens its tests, and keeps the tests that it ran") {
  const Scratch scratch;
  const std::string file = scratch.file("tunings.db");
  const Outcome outcome = run_program({"tune", "nonlinear_oscillator", "--macro-step", "0.002",
                                       "--extrapolation", "0", "--until", "0.5", "--db", file});
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  const macrostep::db::Store store(file, {.access = macrostep::db::Access::read});
  const auto row = store.get_analysis(store.list_analyses(10).rows.front().id);
  REQUIRE(row);
  const auto job = nlohmann::json::parse(row->job);
  REQUIRE(job["tests"].size() == 5);
  for (const auto& test : job["tests"]) {
    CHECK(test["duration_s"] == 0.5);  // also of the sine, by periods without --until
    CHECK((!test.contains("width_s") || test["width_s"] == doctest::Approx(0.2)));
  }
  namespace json = macrostep::server::json;
  CHECK(std::holds_alternative<json::TuningPlan>(json::read_tuning(job)));
}
