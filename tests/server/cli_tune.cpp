// macrostep tune: settings of the energy correction.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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
  CHECK(deviation({"--correction", "energy"}) < 0.2 * deviation({}));
  CHECK(with("run", {}).find("RMS deviation") != std::string::npos);
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
