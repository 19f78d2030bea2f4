// macrostep run: the figures as JSON, the trace as CSV, and the exit code.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/server/child_process.hpp"

namespace {

using Arguments = std::vector<std::string>;

Arguments crane(const std::string& macro_step, const Arguments& more) {
  Arguments arguments{"run",      "single_actuator_crane", "--macro-step",
                      macro_step, "--extrapolation",       "2"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

struct Trace {
  std::string header;
  std::vector<std::vector<double>> rows;
};

Trace read_trace(const std::string& text) {
  Trace trace;
  std::istringstream lines(text);
  std::getline(lines, trace.header);
  for (std::string line; std::getline(lines, line);) {
    auto& row = trace.rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) {
      row.push_back(std::stod(cell));
    }
  }
  return trace;
}

}  // namespace

TEST_CASE("run --json has exactly the contract's members, unknown ones null") {
  const Outcome outcome = run_program(crane("0.002", {"--test", "ramp", "--json"}));
  REQUIRE(outcome.code == 0);
  CHECK(outcome.err.empty());
  const auto json = nlohmann::ordered_json::parse(outcome.out);
  std::vector<std::string> members;
  for (const auto& [name, value] : json.items()) {
    members.push_back(name);
  }
  CHECK(members == std::vector<std::string>{"status", "reason", "residual_J", "startup_residual_J",
                                            "applied_residual_J", "relative_residual", "energy",
                                            "error", "outputs", "final_time_s", "macro_steps",
                                            "rhs_evaluations", "step_time"});
  CHECK(json["status"] == "complete");
  CHECK(json["reason"].is_null());
  CHECK(json["residual_J"] > 0);
  CHECK(json["relative_residual"] > 0);
  CHECK(json["applied_residual_J"].is_null());
  CHECK(json["energy"]["initial_J"].is_null());
  CHECK(json["error"]["nrmse"] > 0);
  CHECK(json["error"]["max"] >= json["error"]["nrmse"]);
  CHECK(json["error"]["reference"] == "CVODE BDF");
  CHECK(json["final_time_s"] == doctest::Approx(1));
  CHECK(json["macro_steps"] == 500);
  CHECK(json["outputs"]["mechanics.s"]["final"] > 0.4);
  CHECK(json["step_time"]["worst_s"] >= json["step_time"]["median_s"]);
}

TEST_CASE("the trace holds every communication point, with outputs and residual power") {
  const Scratch scratch;
  const Outcome outcome =
      run_program(crane("0.01", {"--until", "0.095", "--csv", scratch.file("out.csv"), "--json"}));
  REQUIRE(outcome.code == 0);
  CHECK(scratch.names() == std::vector<std::string>{"out.csv"});
  const Trace trace = read_trace(scratch.read("out.csv"));
  CHECK(trace.header ==
        "t,mechanics.s,mechanics.s_dot,mechanics.s_ddot,hydraulics.f,residual_power_W,"
        "hydraulics.u_ref");
  REQUIRE(trace.rows.size() == 11);  // ten macro-steps cover 95 ms
  CHECK(trace.rows.front().at(0) == 0);
  for (std::size_t n = 0; n < trace.rows.size(); ++n) {
    CHECK(trace.rows[n].size() == 7);
    CHECK(trace.rows[n][0] == doctest::Approx(static_cast<double>(n) * 0.01).epsilon(1e-14));
  }
  // The text reads back as the very numbers of the result.
  const auto outputs = nlohmann::json::parse(outcome.out)["outputs"];
  CHECK(trace.rows.back()[1] == outputs["mechanics.s"]["final"].get<double>());
  CHECK(trace.rows.back()[4] == outputs["hydraulics.f"]["final"].get<double>());
}

TEST_CASE("the trace shows what drives the run: the step comes at half the duration") {
  const Outcome outcome = run_program(crane("0.1", {"--test", "step", "--csv", "-"}));
  const Trace trace = read_trace(outcome.out);
  REQUIRE(trace.rows.size() >= 8);
  CHECK(trace.rows[4].at(6) == 0);
  CHECK(trace.rows[6].at(6) == 10);
  // The summary is not in between.
  CHECK(outcome.out.starts_with("t,mechanics.s,"));
  CHECK(outcome.err.find("test input step") != std::string::npos);
}

TEST_CASE("a step comes as much later as it is told to") {
  const Outcome late =
      run_program(crane("0.1", {"--test", "step", "--event-delay", "0.25", "--csv", "-"}));
  const Trace trace = read_trace(late.out);
  REQUIRE(trace.rows.size() >= 10);
  CHECK(trace.rows[7].at(6) == 0);
  CHECK(trace.rows[8].at(6) == 10);
  for (const char* delay : {"-0.1", "0.6", "nan"}) {
    const Outcome refused = run_program(crane("0.1", {"--test", "step", "--event-delay", delay}));
    CHECK(refused.code == 2);
    CHECK_MESSAGE(refused.err.find("--event-delay") != std::string::npos, refused.err);
  }
  const Outcome still =
      run_program(crane("0.1", {"--test", "none", "--until", "1", "--event-delay", "0.1"}));
  CHECK(still.code == 2);
  CHECK_MESSAGE(still.err.find("needs a step, ramp or impulse") != std::string::npos, still.err);
}

TEST_CASE("names of the user's own are no formulas in the trace") {
  const Outcome outcome = run_program(
      {"run", "-", "--macro-step", "0.01", "--extrapolation", "0", "--until", "0.1", "--csv", "-"},
      R"({"problem": {
        "subsystems": [
          {"name": "=1+1", "state_space": {"A": [[0]], "B": [[0.1]], "C": [[1]],
            "inputs": [{"name": "f", "unit": "N"}], "outputs": [{"name": "v", "unit": "m/s"}]}},
          {"name": "b", "state_space": {"A": [[0]], "B": [[1]], "C": [[-100]],
            "inputs": [{"name": "v", "unit": "m/s"}],
            "outputs": [{"name": "f,\"", "unit": "N"}]}}],
        "connections": [{"from": "=1+1.v", "to": "b.v"}, {"from": "b.f,\"", "to": "=1+1.f"}],
        "power_bonds": [{"effort": "b.f,\"", "flow": "=1+1.v"}]}})");
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  CHECK_MESSAGE(outcome.out.starts_with("t,'=1+1.v,\"b.f,\"\"\",residual_power_W\n"), outcome.out);
}

TEST_CASE("halving a small macro-step leaves the actuator where it was") {
  const Scratch scratch;
  const auto length_at_end = [&](const std::string& macro_step, const std::string& file) {
    const Outcome outcome =
        run_program(crane(macro_step, {"--test", "step", "--csv", scratch.file(file)}));
    REQUIRE(outcome.code == 0);
    return read_trace(scratch.read(file)).rows.back().at(1);
  };
  // The contract's accuracy of a run at 0.2 ms: 1e-5 m.
  CHECK(std::abs(length_at_end("0.0002", "a.csv") - length_at_end("0.0001", "b.csv")) < 1e-5);
}

TEST_CASE("the trace's times are short: 0.3, not 0.30000000000000004") {
  const Outcome outcome = run_program(crane("0.1", {"--until", "0.8", "--csv", "-"}));
  REQUIRE(outcome.code == 0);
  std::istringstream lines(outcome.out);
  std::string line;
  std::getline(lines, line);
  for (const char* time : {"0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8"}) {
    REQUIRE(std::getline(lines, line));
    CHECK(line.substr(0, line.find(',')) == time);
  }
}

TEST_CASE("a micro-step longer than the macro-step is said to be cut") {
  const Outcome cut = run_program(
      crane("0.001", {"--until", "0.01", "--micro-step", "hydraulics=0.005", "--json"}));
  CHECK(cut.code == 0);
  CHECK_MESSAGE(cut.err.find("the micro-step of hydraulics, 5 ms, is longer") != std::string::npos,
                cut.err);
  const Outcome fits = run_program(crane("0.001", {"--until", "0.02", "--json"}));
  CHECK_MESSAGE(fits.err.find("is cut to") == std::string::npos, fits.err);
}

TEST_CASE("an option's number is the double nearest to it, as a job's is") {
  // By way of long double it would be the next one.
  const std::string text = "0.000620638384";
  if (std::numeric_limits<long double>::digits == 64) {
    REQUIRE(static_cast<double>(std::strtold(text.c_str(), nullptr)) != std::stod(text));
  }
  const Outcome outcome = run_program(crane(text, {"--until", text, "--json"}));
  const auto result = nlohmann::json::parse(outcome.out);
  CHECK(result["macro_steps"] == 1);
  CHECK(result["final_time_s"].get<double>() == std::stod(text));
}

TEST_CASE("options reach the run") {
  const auto length = [](const Arguments& more) {
    Arguments arguments = crane("0.002", {"--json", "--until", "0.7"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_program(arguments);
    REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
    return nlohmann::json::parse(outcome.out)["outputs"]["mechanics.s"]["final"].get<double>();
  };
  const double base = length({});
  CHECK(length({"--test", "step"}) == base);  // the job's first test
  CHECK(length({"--coupling", "force_displacement", "--scheme", "jacobi", "--correction",
                "none"}) == base);
  CHECK(length({"--set", "hydraulics.c=2e5"}) != base);
  CHECK(length({"--integrator", "hydraulics=trapezoidal"}) != base);
  CHECK(length({"--integrator", "mechanics=i3al", "--integrator", "hydraulics=forward_euler"}) !=
        base);
  CHECK(length({"--micro-step", "hydraulics=5e-5"}) != base);
  // A test that the default job does not have: the driver lowers the crane first, from 0.6 s on.
  CHECK(length({"--test", "joystick"}) < 0.5 - 1e-5);
  // Without an external input the crane stays where it is.
  CHECK(length({"--test", "none"}) == doctest::Approx(0.5).epsilon(1e-9));
}

TEST_CASE("a run that does not complete exits with 1 and says why") {
  const Outcome json = run_program(
      {"run", "single_actuator_crane", "--macro-step", "0.009", "--extrapolation", "4", "--json"});
  CHECK(json.code == 1);
  const auto result = nlohmann::json::parse(json.out);
  CHECK(result["status"] != "complete");
  CHECK(result["reason"].is_string());
  const Outcome text = run_program(
      {"run", "single_actuator_crane", "--macro-step", "0.009", "--extrapolation", "4"});
  CHECK(text.code == 1);
  CHECK(text.out.find("A smaller --macro-step") != std::string::npos);
}

TEST_CASE("a complete run that tells nothing, or is wrong, says so beside its answer") {
  const auto run = [](const char* problem, const char* macro_step) {
    return run_program(
        {"run", problem, "--macro-step", macro_step, "--extrapolation", "0", "--json"});
  };
  const Outcome seconds = run("single_actuator_crane", "1");  // a millisecond was meant
  REQUIRE(seconds.code == 0);
  CHECK_MESSAGE(seconds.err.find("only 1 macro-step of 1 s") != std::string::npos, seconds.err);
  const Outcome milliseconds = run("single_actuator_crane", "0.001");
  REQUIRE(milliseconds.code == 0);
  CHECK(milliseconds.err.empty());
  const Outcome coarse = run("linear_oscillator", "0.005");
  REQUIRE(coarse.code == 0);
  CHECK_MESSAGE(coarse.err.find("a complete run may still be wrong") != std::string::npos,
                coarse.err);
}

TEST_CASE("a run that its test does not reach, or drives too far, says so beside its answer") {
  const Outcome before =
      run_program(crane("0.002", {"--test", "step", "--until", "0.1", "--json"}));
  REQUIRE(before.code == 0);
  CHECK_MESSAGE(before.err.find("drives nothing before t = 0.5 s, and the run ends at 0.1 s") !=
                    std::string::npos,
                before.err);
  const std::string job = R"({"problem": "single_actuator_crane", "tests": [
    {"name": "wild", "kind": "sine", "frequency_hz": 1, "amplitude": 11, "duration_s": 1}]})";
  const std::string note = "note: hydraulics.u_ref in test wild goes from -11 to 11, beyond its ";
  const Outcome wild =
      run_program({"run", "-", "--macro-step", "0.002", "--extrapolation", "2"}, job);
  CHECK_MESSAGE(wild.err.find(note) != std::string::npos, wild.err);
  const Outcome dry = run_program({"search", "-", "--dry-run"}, job);
  REQUIRE(dry.code == 0);
  CHECK_MESSAGE(dry.err.find(note) != std::string::npos, dry.err);
}

TEST_CASE("a run that a nominal value ends names the output, and advises a larger one") {
  const std::string job = R"({"problem": {
    "subsystems": [
      {"name": "a", "state_space": {"A": [[0]], "B": [[0.1]], "C": [[1]], "x0": [1],
        "inputs": [{"name": "f", "unit": "N"}],
        "outputs": [{"name": "v", "unit": "m/s", "nominal": 1e-9}]}},
      {"name": "b", "state_space": {"A": [[0]], "B": [[1]], "C": [[-100]],
        "inputs": [{"name": "v", "unit": "m/s"}], "outputs": [{"name": "f", "unit": "N"}]}}],
    "connections": [{"from": "a.v", "to": "b.v"}, {"from": "b.f", "to": "a.f"}],
    "power_bonds": [{"effort": "b.f", "flow": "a.v"}]}})";
  const Outcome outcome =
      run_program({"run", "-", "--macro-step", "0.001", "--extrapolation", "0"}, job);
  CHECK(outcome.code == 1);
  CHECK_MESSAGE(outcome.out.find("its nominal value (1e-09 of a.v) at 0.001 s. The exact solution "
                                 "grows as far, whatever the macro-step: give that output a larger "
                                 "nominal") != std::string::npos,
                outcome.out);
}

TEST_CASE("a trace that cannot be written is an error, and nothing is left behind") {
  const Scratch scratch;
  const Outcome missing = run_program(crane("0.01", {"--csv", scratch.file("no/out.csv")}));
  CHECK(missing.code == 1);
  CHECK(missing.err.find("no/out.csv") != std::string::npos);
  const Outcome directory = run_program(crane("0.01", {"--csv", scratch.file("")}));
  CHECK(directory.code == 1);
  CHECK(scratch.names().empty());
}

TEST_CASE("a scheme without orders runs a job that has them for another") {
  const std::string job = R"({"problem": "single_actuator_crane", "search": {
    "schemes": ["gauss_seidel"], "orders": [["hydraulics", "mechanics"]]}})";
  const Outcome outcome = run_program({"run", "-", "--macro-step", "0.01", "--until", "0.05",
                                       "--extrapolation", "2", "--scheme", "jacobi"},
                                      job);
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
}

TEST_CASE("limits of a run are those of its end, and named by it") {
  const auto until = [](const char* macro_step, const char* end, const Arguments& more = {}) {
    Arguments arguments{"run",
                        "linear_oscillator",
                        "--macro-step",
                        macro_step,
                        "--test",
                        "step",
                        "--extrapolation",
                        "0",
                        "--until",
                        end,
                        "--no-reference",
                        "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  };
  // The test takes 2 s.
  const Outcome short_run = until("1e-9", "1e-6");
  REQUIRE_MESSAGE(short_run.code == 0, short_run.err);
  CHECK(nlohmann::json::parse(short_run.out)["macro_steps"] == 1000);
  const Outcome long_run = until("4", "40");
  CHECK_MESSAGE(long_run.code != 2, long_run.out);  // whatever becomes of it at such an H
  const auto refusal = [&](const Outcome& outcome) {
    CHECK(outcome.code == 2);
    const auto errors = nlohmann::json::parse(outcome.out)["errors"];
    REQUIRE_MESSAGE(errors.size() == 1, outcome.out);
    return errors[0]["pointer"].get<std::string>() + ": " + errors[0]["detail"].get<std::string>();
  };
  CHECK(refusal(until("0.001", "1e6")).starts_with("--until: would take 1e+09 macro-steps"));
  CHECK(refusal(until("1", "1e5", {"--micro-step", "m1=1e-5"}))
            .starts_with("--until: would take 1e+10 micro-steps of m1"));
  CHECK(refusal(until("0.1", "0.05")) == "--until: is shorter than one macro-step (0.1 s)");
  CHECK(refusal(until("1", "2e10")) ==
        "--until: must be a number of seconds greater than 0 and at most 1e+10, not 2e+10");
}

TEST_CASE("a run without an error says why there is none") {
  const Outcome outcome = run_program(crane("0.002", {"--until", "0.1", "--no-reference"}));
  REQUIRE(outcome.code == 0);
  CHECK_MESSAGE(outcome.out.find("none: --no-reference") != std::string::npos, outcome.out);
}
