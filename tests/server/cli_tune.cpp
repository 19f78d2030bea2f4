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
