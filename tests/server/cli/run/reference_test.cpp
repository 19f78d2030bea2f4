// macrostep reference: the monolithic solution as CSV.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/server/child_process.hpp"

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::vector<double> numbers(const std::string& line) {
  std::vector<double> row;
  std::istringstream cells(line);
  for (std::string cell; std::getline(cells, cell, ',');) {
    row.push_back(std::stod(cell));
  }
  return row;
}

}  // namespace

TEST_CASE("the reference is written from row to row, from the start to the end of the test") {
  const Scratch scratch;
  const auto file = scratch.file("reference.csv");
  const Outcome outcome = run_program(
      {"reference", "single_actuator_crane", "--interval", "0.1", "--test", "step", "--csv", file});
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out.empty());
  const auto lines = lines_of(scratch.read("reference.csv"));
  REQUIRE(lines.size() == 12);  // names, and 0 to 1 s
  CHECK(lines[0] == "t,mechanics.s,mechanics.s_dot,mechanics.s_ddot,hydraulics.f,hydraulics.u_ref");
  CHECK(lines[4].starts_with("0.3,"));  // not 0.30000000000000004
  const auto first = numbers(lines[1]);
  const auto last = numbers(lines.back());
  CHECK(first == std::vector<double>{0, first[1], 0, first[3], first[4], 0});
  CHECK(first[1] == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(last[0] == doctest::Approx(1));
  CHECK(last[5] == 10);
  // A run at a small macro-step ends there, too: its force is held, H/2 = 25 µs late at 4 cm/s.
  const Outcome run = run_program({"run", "single_actuator_crane", "--macro-step", "0.00005",
                                   "--extrapolation", "2", "--test", "step", "--no-reference",
                                   "--integrator", "hydraulics=trapezoidal", "--csv", "-"});
  REQUIRE(run.code == 0);
  CHECK(numbers(lines_of(run.out).back())[1] == doctest::Approx(last[1]).epsilon(1e-5));
}

TEST_CASE("without a file the reference goes to the standard output, with the options of a run") {
  const Outcome outcome = run_program({"reference", "linear_oscillator", "--interval", "0.25",
                                       "--until", "1", "--coupling", "displacement_displacement",
                                       "--set", "m1.v0=7", "--test", "none"});
  REQUIRE(outcome.code == 0);
  const auto lines = lines_of(outcome.out);
  REQUIRE(lines.size() == 6);
  CHECK(lines[0].find("m1.v") != std::string::npos);
  CHECK(lines[1].find(",7,") != std::string::npos);
}

TEST_CASE("what has no reference, or no rows, is refused with the reason") {
  const auto refused = [](std::vector<std::string> more) {
    std::vector<std::string> arguments{"reference", "single_actuator_crane"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  };
  for (const char* interval : {"0", "-1", "2", "1e-12"}) {
    CAPTURE(interval);
    const Outcome outcome = refused({"--interval", interval});
    CHECK(outcome.code == 2);
    CHECK(outcome.err.find("--interval: must be positive") != std::string::npos);
  }
  CHECK(refused({"--interval", "x"}).err.find("a number of seconds") != std::string::npos);
  CHECK(refused({"--interval", "0.1", "--test", "joy"}).err.find("joystick") != std::string::npos);
  CHECK(refused({"--interval", "0.1", "--set", "a"}).err.find("PATH=VALUE") != std::string::npos);
}
